/* tests/support/test_main.c - the main() of test programs that have nothing to do before their tests. */
#include "tests/support/test.h"

int main(int argc, char **argv)
{
	return tests_run(argc, argv);
}
