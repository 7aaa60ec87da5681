/** Clear files of many shapes; what is written here must come back from either program. */
export const documents: Readonly<Record<string, string>> = {
  'values of every kind': `
text: some text
empty: ""
number: 42
large: 9007199254740993
negative: -7
float: 1.5
tiny: 0.00000015
huge: 15000000000000000000000.5
yes_or_no: true
neither: false
nothing: null
digits: "123456.1234567890123456"
looks_true: "true"
with_colon: "a: b"
unicode: žluťoučký 😀
multi: |
    line one
    line two # not a comment
indented: "  padded  "
`,
  'nested mappings and lists': `
a:
    b:
        c: deep
    list:
        - one
        - 2
        - true
        - d: e
          f: [g, h]
        - - inner
          - list
empty_map: {}
empty_list: []
`,
  'comments everywhere': `# first line
# second line
a: 1 # beside a value
# before a mapping
b:
    # first in a mapping
    c: 2
    # between
    d: 3
    # last in a mapping
list:
    # first in a list
    - one # beside an item
    # between items
    - e: 4
      # in a mapping of a list
      f: 5
last: 6
# the end
`,
  'tokens and keys': `first:
    id: vrm5rwb6zVnZ9hcIqSuGrNcs3ENpSjxHFdkeIHUDDJQ=
    secret: y7xRVyWkWKJpEfgqrLAtJ7cNPiqUJAkBjlGOMzT0YPA= # AES
second:
    bootstraptoken: 123456.1234567890123456
third:
    token: abcdef.0123456789abcdef
ichor:
    # written before the call
    bootstrapped: true
    values: {}
`,
}

/** Which values are encrypted, as `.sops.yaml` says it. */
export const selections: Readonly<Record<string, string>> = {
  'all values': '',
  'a clear suffix': 'unencrypted_suffix: _nothing',
  'an encrypted suffix': 'encrypted_suffix: t',
  'an encrypted expression': 'encrypted_regex: ^(a|text|multi|b|secret|list)$',
  'a clear expression': 'unencrypted_regex: ^(number|c|id|float|yes_or_no|huge|tiny)$',
  'a seal over encrypted values only': 'encrypted_regex: ^(text|b|second)$\n    mac_only_encrypted: true',
}
