import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

const driver = 'driver.longhorn.io'

export const longhornWithoutIscsi = defineFinding({
  code: 'ICH0705',
  name: 'A node of Longhorn has no iSCSI',
  severity: 'blocks',
  needs: ['kubernetes', 'examined.machines', 'examined.kubernetes'],
  *find({ observed, examined }) {
    const served = (ifSeen(examined?.kubernetes?.drivers) ?? []).filter((one) => one.driver === driver)
    for (const { name, extensions } of examined?.machines ?? []) {
      const node = observed.machines.find((one) => one.name === name)?.node?.name
      const there = ifSeen(extensions)
      if (!served.some((one) => one.node === node) || there === undefined || there.includes('iscsi-tools')) continue
      yield {
        subject: { kind: 'machine', name },
        title: `${name} serves volumes of Longhorn, and its image has no iscsi-tools.`,
        detail: 'No volume of Longhorn can be attached there.',
        cure: { text: 'Add iscsi-tools to talos.extensions, then run ichor up.' },
      }
    }
  },
})
