import { expectProblems, net, type Row } from '../../tests/support/bad-inventories.js'

const keys: Row[] = [
  ['an unknown key', 'cluster_name: a\n^netwrok: {}', 'netwrok is not a key of the inventory. Did you mean network?'],
  [
    'an unknown key in a group',
    `cluster_name: a\n${net}\n  ^gatewey: 10.0.10.1`,
    'network.gatewey is not a key of the inventory. Did you mean network.gateway?',
  ],
  [
    'a camelCase key',
    `cluster_name: a\n${net}\n^clusterName: b`,
    'clusterName is not a key of the inventory. Did you mean cluster_name?',
  ],
  [
    'a key of another group',
    `cluster_name: a\n^vip: 10.0.10.5\n${net}`,
    'vip is not a key of the inventory. Did you mean network.vip?',
  ],
  [
    'an unknown key of a node',
    `cluster_name: a\n${net}\nworkers:\n  - name: w\n    ^memory: 4`,
    'workers[0].memory is not a key of the inventory. Did you mean workers[0].ram?',
  ],
  [
    'a word of other tools for vCPUs',
    `cluster_name: a\n${net}\nsizing:\n  worker:\n    ^cores: 4`,
    'sizing.worker.cores is not a key of the inventory. Did you mean sizing.worker.cpu?',
  ],
  [
    'an unknown key without a neighbour',
    `cluster_name: a\n${net}\nworkers:\n  - name: w\n    ^colour: red`,
    'workers[0].colour is not a key of the inventory. Remove colour; docs/inventory.md lists all keys.',
  ],
  [
    'an unknown addon',
    `cluster_name: a\n${net}\naddons:\n  ^cillium: true`,
    'addons.cillium is not a key of the inventory. Did you mean addons.cilium?',
  ],
  ['a missing key', `^${net}`, 'cluster_name is missing. Add cluster_name, which is text.'],
  [
    'a missing name',
    `cluster_name: a\n${net}\nworkers:\n  - ^ip: 10.0.10.21`,
    'workers[0].name is missing. Add workers[0].name, which is text.',
  ],
  [
    'a duplicate key',
    `cluster_name: a\n${net}\n^cluster_name: b`,
    'cluster_name is written twice in the same mapping. Keep one cluster_name and delete the other.',
  ],
  [
    'a plain value in place of a mapping',
    'cluster_name: a\nnetwork: ^10.0.10.0/24',
    'network must be a mapping, got "10.0.10.0/24", text. Write a mapping.',
  ],
]

const syntax: Row[] = [
  [
    'a tab',
    'cluster_name: a\nnetwork:\n^\tcidr: 10.0.10.0/24',
    'This line is indented with a tab. Indent with spaces: YAML does not allow tabs.',
  ],
  [
    'an open quote',
    'cluster_name: "a\nnetwork: {}^',
    'A quote or bracket is opened here and never closed. Close it, or quote the whole text.',
  ],
  [
    'a line without a colon',
    'cluster_name: a\n^network\nvm: {}',
    'This line has no `key: value`. Write a colon and a space after the key.',
  ],
  [
    'two documents',
    'cluster_name: a\n^---\ncluster_name: b',
    'The file holds several documents. Keep one document in a file: remove the `---` line and everything after it.',
  ],
  [
    'an empty file',
    '^',
    'The file is empty. Write at least `cluster_name: dev` to it; the README has a complete example.',
  ],
  [
    'only comments',
    '^# nothing yet\n',
    'The file is empty. Write at least `cluster_name: dev` to it; the README has a complete example.',
  ],
  [
    'a list in place of a mapping',
    '^- cluster_name: a',
    'The file is not a mapping. Write `key: value` lines, such as `cluster_name: dev`.',
  ],
  [
    'an alias of nothing',
    '^cluster_name: *name',
    'The aliases of this file expand to more than 100000 values, or to something that does not exist. Write the values out instead of nesting aliases (`*name`) in each other.',
  ],
]

expectProblems('keys', keys)
expectProblems('syntax', syntax)
