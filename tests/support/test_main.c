/* tests/support/test_main.c - the main() of test programs that do nothing before their tests run. */
#include "tests/support/test.h"

int main(int argc, char **argv)
{
	return tests_run(argc, argv);
}
