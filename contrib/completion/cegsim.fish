# Completion of cegsim in fish. The program knows what fits (`cegsim complete`); this only passes on what was typed.

function __cegsim_complete
    set -l typed (commandline -opc)
    set -l program (string replace -r '^~/' "$HOME/" -- $typed[1])
    set -l answer ($program complete -- $typed[2..] (commandline -ct) 2>/dev/null)
    string match -v :files -- $answer
    if contains :files -- $answer
        __fish_complete_path (commandline -ct)
    end
end

complete -c cegsim -f -a '(__cegsim_complete)'
