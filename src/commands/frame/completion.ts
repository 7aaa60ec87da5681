/** `undefined` for an unknown shell. The shell completes file names. */
export function completionScript(shell: string): string | undefined {
  return scripts[shell]
}

/** Each proposed line is a word, a tab and a description; bash shows the description only when it lists several. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_ichor() {
  local line found=()
  while IFS= read -r line; do found+=("$line"); done < <(ichor completion propose -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  COMPREPLY=()
  for line in "\${found[@]}"; do
    if [[ "\${COMP_TYPE:-9}" == 63 && \${#found[@]} -gt 1 && "$line" == *$'\\t'* ]]; then
      COMPREPLY+=("\${line%%$'\\t'*}  (\${line#*$'\\t'})")
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done
}
complete -o default -F _ichor ichor
`,
  zsh: `#compdef ichor
_ichor() {
  local -a lines found
  local line
  lines=("\${(@f)$(ichor completion propose -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "\${lines[@]}"; do
    [[ -n "$line" ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#found} )); then _describe 'ichor' found; else _files; fi
}
if [[ "\${funcstack[1]}" == _ichor ]]; then _ichor "$@"; else compdef _ichor ichor; fi
`,
  fish: `function __ichor_complete
  set -l words (commandline -opc) (commandline -ct)
  ichor completion propose -- $words[2..-1] 2>/dev/null
end
complete -c ichor -a '(__ichor_complete)'
`,
}
