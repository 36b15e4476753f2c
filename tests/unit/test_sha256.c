/* tests/unit/test_sha256.c - base/sha256.c on the examples of FIPS 180-4 and on lengths near a block's
 * end. */
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "tests/support/test.h"

static void is(const char *text, const char *digest)
{
	char got[SHA256_TEXT];
	sha256(text, strlen(text), got);
	assert_string_equal(got, digest);
}

TEST("published examples")
{
	is("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	is("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	is("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST("a million letters")
{
	char *text = malloc(1000000), got[SHA256_TEXT];
	assert_non_null(text);
	memset(text, 'a', 1000000);
	sha256(text, 1000000, got);
	assert_string_equal(got, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
	free(text);
}

/* The length goes into the last block if 8 bytes are left there, else into a block of its own. */
TEST("edges of a block")
{
	static const struct {
		size_t length;
		const char *digest;
	} cases[] = {
		{55, "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072"},
		{56, "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e"},
		{63, "75220b47218278e656f2013bb8f0c455a25eaf01e86c64924e9d48d89776d6f2"},
		{64, "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c"},
		{65, "9537c5fdf120482f7d58d25e9ed583f52c02b4e304ea814db1633ad565aed7e9"},
		{119, "000b48d4edf0fa7bee3c6236ecd2785baa5db4eeb8bb54341b029e0d9fa5fb0c"},
		{120, "13f05a0b594787f5ecd315edc96141bd3243203d1b7d4f0836f37308b276ba98"},
	};
	char text[128], got[SHA256_TEXT];
	memset(text, 'x', sizeof(text));
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		sha256(text, cases[i].length, got);
		assert_string_equal(got, cases[i].digest);
	}
}
