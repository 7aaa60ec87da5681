import { connectLab } from '../../src/proxmox/client/testing/lab-client.js'
import { startSmallLab } from '../../src/simulator/proxmox/testing/small-lab.js'

const count = 500
const speed = 1000
const mebibyte = 1024 ** 2
const signal = AbortSignal.timeout(300_000)

/** 500 VMs created, started, stopped and deleted by our own client; lab and client share the process. */
export default {
  name: 'a lab under load',
  async run() {
    const lab = await startSmallLab({ speed, topology: roomy })
    const client = connectLab(lab, { concurrencyPerHost: 64 })
    let peak = 0
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss())
    }, 50)
    try {
      const start = performance.now()
      await Promise.all(Array.from({ length: count }, (_, index) => live(client, index)))
      const seconds = (performance.now() - start) / 1000
      const requests = lab.sim.requests().length
      const of = `${count} VMs through their life at speed ${speed}`
      return [
        { name: of, value: Math.round(requests / seconds), limit: 300, unit: 'requests/s', atLeast: true },
        { name: `${of}: memory of lab and client`, value: Math.round(peak / mebibyte), limit: 400, unit: 'MB' },
      ]
    } finally {
      clearInterval(watch)
      await client.close()
      await lab.close()
    }
  },
}

async function live({ machines, tasks }: ReturnType<typeof connectLab>, index: number): Promise<void> {
  const vm = { host: `pve${(index % 2) + 1}`, vmid: 1000 + index }
  const options = { name: `vm-${index}`, cores: 1, memory: 512, scsi0: 'local-lvm:1' }
  await tasks.wait(await machines.create(vm, options, signal), signal)
  await tasks.wait(await machines.start(vm, signal), signal)
  await tasks.wait(await machines.stop(vm, signal), signal)
  await tasks.wait(await machines.remove(vm, signal), signal)
}

const GiB = 1024 ** 3
const roomy = {
  hosts: ['pve1', 'pve2'].map((name, index) => ({
    name,
    address: `10.0.10.${index + 2}`,
    cpus: 512,
    memory: 1024 * GiB,
    bridges: [{ name: 'vmbr0', cidr: `10.0.10.${index + 2}/24`, gateway: '10.0.10.1', vlanAware: true }],
  })),
  storages: [
    { id: 'local-lvm', type: 'lvmthin' as const, content: ['images', 'rootdir'], shared: false, total: 4096 * GiB },
  ],
  pciMappings: [],
  dhcp: [],
  guests: [],
}
