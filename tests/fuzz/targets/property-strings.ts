import fc from 'fast-check'
import { parseBoot } from '../../../src/proxmox/model/options/boot.js'
import { parseDisk } from '../../../src/proxmox/model/options/disk.js'
import { parseAgent, parseCpu, parseHostPci, parseStartup } from '../../../src/proxmox/model/options/hardware.js'
import { parseNet } from '../../../src/proxmox/model/options/net.js'
import { parseSmbios } from '../../../src/proxmox/model/options/smbios.js'
import { parseTags } from '../../../src/proxmox/model/options/tags.js'
import { parsePropertyString } from '../../../src/proxmox/model/property-string.js'
import { parseUpid } from '../../../src/proxmox/model/upid.js'
import { defineTarget } from '../target.js'
import { damagedText } from '../values.js'

const whole = [
  'virtio=BC:24:11:00:00:01,bridge=vmbr0,firewall=1,tag=5,mtu=1500',
  'local-lvm:vm-100-disk-0,discard=on,iothread=1,size=20G,ssd=1',
  'none,media=cdrom',
  'uuid=b80c72ea-4c55-8b7f-8ccd-f027daafa86a,manufacturer=SWNob3I=,base64=1,serial=YQ==',
  'order=scsi0;ide2;net0',
  'host,flags=+aes;-pcid,hidden=1',
  'mapping=gpu,pcie=1,x-vga=1',
  'order=2,up=30,down=60',
  'enabled=1,fstrim_cloned_disks=1,type=virtio',
  'UPID:pve1:0000C0DE:0000BEEF:65000000:qmcreate:100:root@pam!ichor:',
]
const parsers = [
  parseNet,
  parseDisk,
  parseSmbios,
  parseBoot,
  parseCpu,
  parseHostPci,
  parseStartup,
  parseAgent,
  parseTags,
  parseUpid,
]

export const propertyStrings = defineTarget({
  name: 'property-strings',
  prepare: async () => ({
    inputs: fc.oneof(
      fc.constantFrom(...whole).chain(damagedText),
      fc
        .array(fc.constantFrom(',', '=', ';', ':', 'size', 'uuid', '1', 'G', 'é', '\n', ' '), { maxLength: 12 })
        .map((parts) => parts.join('')),
      fc.string({ unit: 'binary', maxLength: 40 }),
    ),
    read: (text) => {
      for (const parse of parsers) parse(text)
      const read = parsePropertyString(text)
      if (!parsePropertyString(read.toString()).equals(read)) throw new Error('what was written reads differently')
    },
  }),
})
