#!/usr/bin/env python3
"""tests/support/make_trace.py - writes a trace of a kernel as the tracer of Accel-Sim does (docs/kernel-traces.md).

    make_trace.py OUT [BLOCKS [ROUNDS [VERSION]]]

Blocks of two warps. A warp loads a word of its own for each thread, and the same word for all, adds both, stores the
sum, and does it again; the block meets at a barrier behind the loop. In the last block the second warp does half as
many rounds.
"""
import sys


def head(blocks, version):
    keys = [("kernel name", "_Z3addPfS_S_"), ("kernel id", 1), ("grid dim", f"({blocks},1,1)"), ("block dim", "(64,1,1)"),
            ("shmem", 1024), ("nregs", 24), ("binary version", 70), ("cuda stream id", 0),
            ("shmem base_addr", "0x00007f8125000000"), ("local mem base_addr", "0x00007f8123000000"),
            ("nvbit version", "1.5.5"), ("accelsim tracer version", version)]
    return "".join(f"-{key} = {value}\n" for key, value in keys) + "\n#traces format = PC mask dest_num [reg_dests] opcode ...\n"


def instructions(blocks, block, warp, rounds):
    yield "0000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0"
    for i in range(rounds):
        own = 0x7f0000000000 + ((i * blocks + block) * 2 + warp) * 128
        yield f"0010 ffffffff 1 R2 LDG.E.SYS 1 R4 4 1 0x{own:x} 4"
        yield "0020 ffffffff 1 R3 LDG.E.SYS 1 R6 4 2 0x7f1000000000 " + " ".join(["0"] * 31)
        yield "0030 ffffffff 1 R3 FADD 2 R2 R3 0"
        yield f"0040 0000ffff 0 STG.E.SYS 2 R8 R3 4 0 " + " ".join(f"0x{own + 0x1000000 + 4 * k:x}" for k in range(16))
        yield "0050 ffffffff 1 R4 IADD3 2 R4 R10 0"
        yield "0060 ffffffff 0 BRA 0 0"
    yield "0070 ffffffff 0 BAR.SYNC 0 0"
    yield "0080 ffffffff 0 EXIT 0 0"


def main():
    numbers = [int(word) for word in sys.argv[2:]]
    blocks, rounds, version = numbers + [2, 4, 4][len(numbers):]
    with open(sys.argv[1], "w", encoding="ascii") as out:
        out.write(head(blocks, version))
        for block in range(blocks):
            out.write(f"\n#BEGIN_TB\n\nthread block = {block},0,0\n")
            for warp in range(2):
                short = block == blocks - 1 and warp == 1
                place = f"{block} 0 0 {warp} " if version < 3 else ""
                lines = [place + line for line in instructions(blocks, block, warp, rounds // 2 if short else rounds)]
                out.write(f"\nwarp = {warp}\ninsts = {len(lines)}\n" + "\n".join(lines) + "\n")
            out.write("\n#END_TB\n")


main()
