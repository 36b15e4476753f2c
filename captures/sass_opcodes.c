/* captures/sass_opcodes.c - owns what kind of instruction an opcode of SASS is.
 *
 * The names are those of NVIDIA's "CUDA Binary Utilities" (instruction set reference, Kepler to Hopper).
 * Which unit they are for is as in the opcode maps of Accel-Sim (gpu-simulator/ISA_Def; Khairy et al., ISCA
 * 2020): in one list here, as the maps of the generations hardly contradict each other. Ours is the choice
 * for the units that the model lacks: its integer unit does the work of the branch unit, the uniform datapath
 * and the ALU of the maps. IMMA is a tensor core's as in the map of Ampere (in that of Volta: integer). In
 * Hopper's map HGMMA and QGMMA are no operations; here the tensor core has them, too. */
#include <string.h>

#include "captures/lines.h"
#include "captures/sass.h"

static const struct {
	enum sass_class class;
	const char *names; /* a blank around each */
} opcodes[] = {
	{SASS_FP, " FADD FADD32I FCHK FFMA FFMA32I FMNMX FMUL FMUL32I FSEL FSET FSETP FSWZ FSWZADD RRO FCMP "
		  "HADD2 HADD2_32I HFMA2 HFMA2_32I HMUL2 HMUL2_32I HSET2 HSETP2 HMNMX2 VIMNMX VIMNMX3 "},
	{SASS_FP64, " DADD DFMA DMUL DSETP DMNMX DSET "},
	{SASS_SFU, " MUFU "},
	{SASS_TENSOR, " HMMA DMMA BMMA IMMA QGMMA HGMMA "},
	{SASS_INT, " BMSK BREV FLO IABS IADD IADD3 IADD32I IDP IDP4A IMAD IMNMX IMUL IMUL32I ISCADD "
		   "ISCADD32I ISETP ISET LEA LOP LOP3 LOP32I POPC SHF SHL SHR VABSDIFF VABSDIFF4 VADD BFE "
		   "BFI ICMP IMADSP XMAD VMNMX ISUB ISAD VIADD VIADDMNMX F2F F2FP F2I F2IP I2F I2FP I2I I2IP "
		   "FRND MOV MOV32I MOVM PRMT SEL SGXT SHFL PLOP3 PSETP PSET P2R R2P CSET CSETP LDC MATCH "
		   "QSPC CCTL CCTLL CCTLT ERRBAR CGAERRBAR MEMBAR LDGDEPBAR FENCE SYNCS ARRIVES R2UR REDUX "
		   "S2UR UBMSK UBREV UCLEA UF2FP UFLO UIADD3 UIMAD UISETP ULDC ULEA ULOP ULOP3 ULOP32I UMOV "
		   "UP2UR UPLOP3 UPOPC UPRMT UPSETP UR2UP USEL USGXT USHF USHL USHR VOTEU B2R CS2R CSMTEST "
		   "DEPBAR GETLMEMBASE LEPC NOP PMTRIG R2B S2R SETCTAID SETLMEMBASE VOTE VOTE_VTG TMML TXQ "
		   "SUQUERY SUCLAMP SUBFM SUEAU UCGABAR_ARV UCGABAR_WAIT WARPGROUP USETMAXREG "},
	{SASS_BRANCH,
		" BMOV BPT BRA BREAK BRX BRXU BSSY BSYNC CALL EXIT JMP JMX JMXU KILL NANOSLEEP RET RPCMOV "
		"RTT WARPSYNC YIELD ELECT SSY SYNC CAL JCAL PRET BRK PBK CONT PCNT PEXIT "},
	{SASS_GLOBAL_LOAD, " LDG LDGSTS "},
	{SASS_GLOBAL_STORE, " STG "},
	{SASS_GLOBAL_ATOMIC, " ATOMG RED "},
	{SASS_GENERIC_LOAD, " LD "},
	{SASS_GENERIC_STORE, " ST "},
	{SASS_GENERIC_ATOMIC, " ATOM "},
	{SASS_SHARED_LOAD, " LDS LDSM LDSLK "},
	{SASS_SHARED_STORE, " STS STSCUL "},
	{SASS_SHARED_ATOMIC, " ATOMS "},
	{SASS_LOCAL_LOAD, " LDL "},
	{SASS_LOCAL_STORE, " STL "},
	{SASS_TEXTURE, " TEX TEXS TLD TLDS TLD4 TLD4S TXD SULD SULDGA "},
	{SASS_GLOBAL_STORE, " SUST SUSTGA SUATOM SURED "},
	{SASS_BARRIER, " BAR "},
	{SASS_BULK, " UBLKCP UBLKPF UBLKRED UTMALDG UTMAPF UTMAREDG UTMASTG UTMACCTL UTMACMDFLUSH "},
};

enum sass_class sass_class(const char *opcode)
{
	char word[SASS_OPCODE_MAX + 2];
	size_t length = strcspn(opcode, ".");
	if (length == 0 || length >= SASS_OPCODE_MAX)
		return SASS_UNKNOWN;
	word[0] = ' ';
	memcpy(word + 1, opcode, length);
	memcpy(word + 1 + length, " ", 2);
	/* A warp that arrives at a barrier without waiting goes on at once. */
	if (strcmp(word, " BAR ") == 0 && strncmp(opcode + length, ".ARV", 4) == 0)
		return SASS_INT;
	for (size_t i = 0; i < sizeof(opcodes) / sizeof(*opcodes); i++)
		if (strstr(opcodes[i].names, word))
			return opcodes[i].class;
	return SASS_UNKNOWN;
}

uint32_t sass_bits(const char *opcode)
{
	for (const char *at = strchr(opcode, '.'); at; at = strchr(at, '.')) {
		at++;
		const char *digits = at + (*at == 'U' || *at == 'S' || *at == 'F');
		size_t length = strspn(digits, "0123456789");
		char number[8];
		uint64_t bits;
		if (length == 0 || length >= sizeof(number) || (digits[length] && digits[length] != '.'))
			continue;
		memcpy(number, digits, length);
		number[length] = '\0';
		if (lines_parse(number, 10, 128, &bits) &&
			(bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128))
			return (uint32_t)bits;
	}
	return 32;
}
