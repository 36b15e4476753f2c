/* db/known_views.c - the views that programs have written into recordings, by the digests of their texts. A
 * view whose text changes gets a line here, and the line of the text before stays: recordings have it. */
#include "db/known_views.h"

#include <string.h>

#include "base/sha256.h"

#define DIGITS 32

/* The first digits of the SHA-256 of each text. */
static const char known[][DIGITS + 1] = {
	"5fa0a25b15620375c0a2ba6b748a4d0a", /* v_acceptance */
	"90227bd44d75bd4e47414179ecb61253", /* v_acceptance */
	"fe72737d4d505db69c7d183e2b58b030", /* v_acceptance */
	"d4ffd370ed1f158ed6902214f2433f82", /* v_accepted */
	"ca898fcc38be80cc4cb78f142345a9d2", /* v_accepted */
	"dd45c8dc4becf9ccfede88259097aa13", /* v_accepted */
	"9d3cc4f3674a32b2b344e5d3a4904b5a", /* v_analysis_acceptance */
	"75e83172766f73aa5c144048829e1d66", /* v_bound */
	"b8258252edcf14c389a122869d64aef8", /* v_bound */
	"7f94d2469a2c6a15520b7279fbaa7bfd", /* v_bound_check */
	"36487a0da6a999f9d025b5b2f217f71d", /* v_bound_check */
	"ca197acbbc577a0b3ed576a7c1d2f48a", /* v_bound_check */
	"e7c75251bd460ce0a0aaa7674ab548a0", /* v_bound_check */
	"36e4066ce38b0a439095bfafb507de23", /* v_bound_check */
	"e3fc26299607b439694f784e8e18bb5c", /* v_bound_check */
	"950b3d4ffaef0a0e953e102ecd91b935", /* v_bound_check */
	"a32bb139058a5b941c9a69202eecaa15", /* v_chain */
	"7f6d31705cd6152ea64e9147f784040d", /* v_chain_check */
	"e52a34fa2d5796447829f7da7902d6ea", /* v_context */
	"b3100c6e6a73b873fd3a96342554f7e4", /* v_decision */
	"b5ff5b2bd34328af1caa8cae5d8a96bb", /* v_decision */
	"d3fd7db3463a753a198e774c949972b1", /* v_decision */
	"e42dc9b70d785e5dd2311baa258a3ab4", /* v_energy */
	"1a28287f3952dc004a20847580ecccbd", /* v_energy */
	"2d8db6ad96d4891e361d01c570dcab2a", /* v_energy */
	"fc51cb326b1be5cd2047eca3d85c649a", /* v_energy */
	"bc5e48311ed78eeb74ff6b20a239b5a4", /* v_energy */
	"be21e512e53039f7d55d99287c3fe3ee", /* v_energy_gpu */
	"d2e18fffc1b7766d853ecd09f3a973ba", /* v_energy_policy */
	"20ced199a6dba31f789e00d674f9faab", /* v_energy_task */
	"9ed7de309a35338db23ea2d058bbc9ff", /* v_energy_task */
	"83f5d86a34a63848088c0126be907975", /* v_epoch */
	"abd75ac43782fed9d29103bc74294903", /* v_flight_wait */
	"12aa98639738063192446a85f9ca1c6d", /* v_flight_wait */
	"e662213eaf0883bd309d46bd6877127d", /* v_flight_wait */
	"86d4e9b948359bd916687db583237b3b", /* v_gantt */
	"2a89ccc1f850da2276c36dca540dee46", /* v_gantt */
	"084bb5bac0c36b44028f732e0b4fe35d", /* v_gantt */
	"d8dc70a3a9750e6ab6639c45b23fc455", /* v_gantt */
	"711a6439e5f56ddcffd1d7dd31753d02", /* v_gpu */
	"6210a7fd763306d9df85f51dfb949dea", /* v_gpu */
	"1da16bc261a33bd9516daf6e15e5ae83", /* v_job */
	"971a7610a4766b2ce90fe6b3f8f52512", /* v_job */
	"4b96efa8a735aabdce907f445ba4b7cc", /* v_job */
	"2df57dd02ece1b7e62939b0002aba9c7", /* v_lane_busy */
	"d17ca127a78cea82158f7072ce63c8fd", /* v_measured */
	"8f37d32e321a291041ea1f7634436034", /* v_run */
	"06de0826d645f5c35a7a1087562b0f20", /* v_run */
	"524a02db8d9f36e948b35a59e5710704", /* v_segment */
	"61862e6be7f4202ef1064d0ad98d7f13", /* v_segment */
	"9739a61b1a008c26780e8259f43c425a", /* v_sm_busy */
	"835c04c1cb77a729106be9e5bbc25613", /* v_stalls */
	"19dd6357df433d50027f111d3e8ea31c", /* v_task_response */
	"2ccf9dff301a44d879164b6348177204", /* v_task_response */
	"18ff009a981cea223088172d17b1871c", /* v_utilisation */
	"4e390d0c812fda65f39222d9f371f983", /* v_utilisation */
	"cb17362c8dc4303fd68a05cfaae562a5", /* v_utilisation */
	"9d8980263a1e877321dec99570096606", /* v_utilisation */
	"149d24bcd89aaa4c1aac548cacd2d72c", /* v_utilisation */
	"d57d8bdc94db1188fc43b00d4e4a7d68", /* v_utilisation */
	"32f66f5729194ff9c4248bab9ec778c5", /* v_wait */
	"221918461ef6d2ff956cf8b17f3cb540", /* v_wait */
	"2830f45d8bc1d68caacae1a4f1d1ea9b", /* v_wait */
	"e93891cca879892714d65f390eee60a7", /* v_wait */
	"689e2a1561c29e82e1d6b141e11a3872", /* v_wait */
	"5ef1117941849605047dfa6fd09e705e", /* v_wait */
	"bd7d2edecc576544cac224a5e9723784", /* v_wait */
	"edd39328481a2ec4c84ff980b0fae729", /* v_wait */
	"b2b2630dca8eb0b63f5e7710917ca4ca", /* v_wait */
	"38c49c26abe5dce8a5ecf0d6b73d540c", /* v_wait */
	"37bcb02f7c37eed7c41be08f16bd581d", /* v_wait */
	"708208e893915b094c5ad57e9505ba67", /* v_wait */
	"7d0684df3cdaad09e4c952d4c751118d", /* v_wait */
	"1b08fc48fd16613d42215ec67dff7485", /* v_wait */
	"1eca4e9354178aef402be518fbb82349", /* v_wait */
	"6ce9334af4637513d07c9683dffbdc76", /* v_wait */
	"9d7491797ae9f5982a57496bee8cbfa0", /* v_wait */
	"20a5633ce93825d9c24e1a22b9270df8", /* v_wait_sum */
	"2a6d1f81203c7332357f7c8a04308751", /* v_warp_kernel */
	"4083357e45d260da4a9e4c6087c47c2d", /* v_weakly_hard */
	"c72e03f44175fd63f56efdd8f8e0e1f4", /* v_why */
	"00990991d5e0378d96250920cbe6e6d4", /* v_why */
};

bool known_view(const char *text)
{
	char digest[SHA256_TEXT];
	sha256(text, strlen(text), digest);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (memcmp(known[i], digest, DIGITS) == 0)
			return true;
	return false;
}
