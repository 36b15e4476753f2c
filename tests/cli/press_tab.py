"""press_tab.py SHELL LINE: types LINE and a tab into a real shell in a terminal, and prints what the line is then.

The shell starts without the user's files. Its first command is that of CEGSIM_SHELL_START.
"""
import os
import pty
import select
import sys
import time

PROMPT = "TYPE> "
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], ""),
    "zsh": (["zsh", "-f", "-i"], ""),
    "fish": (["fish", "--no-config", "-i"], "function fish_prompt; echo -n 'TYPE> '; end; "),
}
LIMIT_S = 300


class Terminal:
    """A shell behind a pseudo-terminal."""

    def __init__(self, command):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm", PS1=PROMPT, HISTFILE="/dev/null", LC_ALL="C.UTF-8", COLUMNS="400")
            os.execvp(command[0], command)
        self.seen = ""

    def type(self, text):
        os.write(self.terminal, text.encode())

    def read_up_to(self, mark):
        """What comes before `mark`, which is taken away as well."""
        end = time.monotonic() + LIMIT_S
        while mark not in self.seen:
            try:
                if not select.select([self.terminal], [], [], max(0, end - time.monotonic()))[0]:
                    sys.exit(f"{mark!r} did not come in {LIMIT_S} s; the terminal shows {self.seen!r}")
                self.seen += os.read(self.terminal, 65536).decode(errors="replace")
            except OSError:
                sys.exit(f"the shell ended before {mark!r} came; the terminal shows {self.seen!r}")
        before, self.seen = self.seen.split(mark, 1)
        return before


def main():
    shell, line = sys.argv[1:]
    command, first = SHELLS[shell]
    terminal = Terminal(command)
    # The marks are typed in two parts, so that the echo of what is typed is not taken for the answer.
    terminal.type(first + os.environ["CEGSIM_SHELL_START"] + "\necho REA''DY\n")
    terminal.read_up_to("READY")
    terminal.read_up_to(PROMPT)
    # Ctrl-A and Ctrl-E: to the beginning of the line, and to its end.
    terminal.type(line + "\t\x01printf 'LI''NE<%s>\\n' \"\x05\"\n")
    terminal.read_up_to("LINE<")
    print(terminal.read_up_to(">"))
    os.close(terminal.terminal)


main()
