import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type RotationTarget, rotationTargets } from '../../src/cluster/rotation.js'
import type { SavedLab } from '../../src/lab/index.js'
import { parseSecretsFile } from '../../src/secrets/bundle-file.js'
import { clusterYaml } from '../support/lab.js'
import { countMutating, inWorkshop, succeeds, type Workshop } from '../support/workshop.js'

const yaml = clusterYaml({ controlPlanes: 1, workers: 1, extra: 'secrets: plain\n' }).replace('v1.13.9', 'v1.14.1')
const secretsFile = 'secrets.lab.yaml'

let built: SavedLab
let secrets: string
beforeAll(async () => {
  await inWorkshop({ yaml }, async (workshop) => {
    await succeeds(workshop.ichor('up', '--lab', '--yes'))
    built = await workshop.lab.save()
    secrets = workshop.secrets()
  })
})

const inRotated = (what: RotationTarget, story: (workshop: Workshop, newest: string) => Promise<void>) =>
  inWorkshop({ yaml, secrets, saved: built }, async (workshop) => {
    await succeeds(workshop.ichor('secrets', 'rotate', what, '--lab', '--yes'))
    await story(workshop, workshop.secrets())
  })

const names: Record<RotationTarget, string> = {
  'talos-ca': 'the Talos CA',
  'kubernetes-ca': 'the Kubernetes CA',
  'service-account-key': 'the service account key',
  'etcd-encryption-key': 'the key of the Secrets in etcd',
}

test.each(rotationTargets)(
  'the secrets from before %s was rotated are refused by every command that changes something, and the newest ones work',
  (what) =>
    inRotated(what, async ({ desk, lab, ichor }, newest) => {
      desk.write(secretsFile, secrets)
      const calls = await countMutating(lab)
      for (const words of [
        ['up', '--lab', '--yes'],
        ['plan', '--lab'],
        ['scale', 'workers=2', '--lab', '--yes'],
        ['reboot', 'dev-wk-1', '--lab', '--yes'],
        ['secrets', 'rotate', what, '--lab', '--yes'],
      ]) {
        const { code, stderr } = await ichor(...words)
        expect({ words, code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining(names[what]) })
        expect(stderr).toMatch(/rotated .* on \d{4}-\d{2}-\d{2}/)
        expect(stderr).not.toContain('This is a bug')
      }
      expect(await countMutating(lab)).toBe(calls)
      expect(readFileSync(join(desk.folder, secretsFile), 'utf8')).toBe(secrets)
      const status = JSON.parse((await desk.ichor(['status', '--lab', '--json'])).stdout)
      expect(status).toMatchObject({ refusal: { problem: expect.stringContaining(names[what]) } })

      desk.write(secretsFile, newest)
      await succeeds(ichor('up', '--lab', '--yes'))
      await succeeds(ichor('plan', '--lab', '--exit-code'))
    }),
)

test.each(rotationTargets.filter((what) => what !== 'talos-ca'))(
  'when the newest secrets are lost, %s is read back from a control plane',
  (what) =>
    inRotated(what, async (workshop, newest) => {
      const { desk, ichor } = workshop
      desk.write(secretsFile, secrets)
      await succeeds(ichor('secrets', 'recover', '--lab'))
      expect(keysIn(workshop.secrets())).toEqual(keysIn(newest))
      await succeeds(ichor('up', '--lab', '--yes'))
      await succeeds(ichor('plan', '--lab', '--exit-code'))
      await succeeds(ichor('secrets', 'rotate', what, '--lab', '--yes'))
      desk.write(secretsFile, newest)
      expect((await ichor('up', '--lab', '--yes')).code).toBe(3)
    }),
)

test('after the Talos CA was rotated nothing can be read back, and the message says where the keys may be', () =>
  inRotated('talos-ca', async ({ desk, ichor }) => {
    desk.write(secretsFile, secrets)
    const { code, stderr } = await ichor('secrets', 'recover', '--lab')
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('NAME.secrets.age') })
  }))

test('an API server that got an older key again: the cluster is not healthy, and ichor up repairs it', () =>
  inRotated('etcd-encryption-key', async ({ desk, lab, ichor, inWorld }, newest) => {
    const [fresh = '', old = ''] = [newest, secrets].map(
      (text) => parseSecretsFile(text, 'x').bundle.secrets.secretboxencryptionsecret,
    )
    const status = async () => JSON.parse((await desk.ichor(['status', '--lab', '--json'])).stdout)
    expect(await status()).toMatchObject({ healthy: true, unreadable_secrets: [] })
    await inWorld(async ({ talos, kubernetes }) => {
      const kept = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'one', namespace: 'default' } }
      const api = kubernetes.at([{ host: '10.0.10.10', port: 6443 }])
      await api.apply([kept], { fieldManager: 'test', force: true }, AbortSignal.timeout(60_000))
      const node = talos.node({ machine: 'dev-cp-1', address: '10.0.10.10' })
      const config = await node.resources.machineConfig(AbortSignal.timeout(60_000))
      expect(config).toContain(fresh)
      await node.applyConfiguration(config.replaceAll(fresh, old), { mode: 'no-reboot' }, AbortSignal.timeout(60_000))
    })
    await expect
      .poll(async () => (await status()).unreadable_secrets, { timeout: 60_000 })
      .toEqual([
        { machine: 'dev-cp-1', why: expect.stringContaining('output array was not large enough for encryption') },
      ])
    expect(await status()).toMatchObject({ healthy: false })
    const health = await desk.ichor(['health', '--lab'])
    expect(health).toMatchObject({ code: 4, stdout: expect.stringContaining('cannot read the Secrets in etcd') })

    desk.write(secretsFile, secrets)
    expect((await ichor('up', '--lab', '--yes')).code).toBe(3)
    desk.write(secretsFile, newest)
    await succeeds(ichor('up', '--lab', '--yes'))
    expect(await status()).toMatchObject({ healthy: true, unreadable_secrets: [] })
    expect((await lab.ledger()).some(({ event }) => event === 'etcd.bootstrapped')).toBe(false)
  }))

test('a snapshot from before a rotation is restored with the secrets of that time, which are the newest from then on', () =>
  inWorkshop({ yaml: yaml.replace('secrets: plain\n', '') }, async ({ desk, ichor }) => {
    const file = join(desk.folder, 'secrets.lab.sops.yaml')
    await succeeds(ichor('up', '--lab', '--yes'))
    const { stdout } = await desk.ichor(['backup', '--lab', '--json'])
    const { name } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '').snapshot
    const old = readFileSync(file, 'utf8')
    await succeeds(ichor('secrets', 'rotate', 'etcd-encryption-key', '--lab', '--yes'))
    const newer = readFileSync(file, 'utf8')
    expect(await ichor('restore', name, '--lab', '--yes', '--over-healthy')).toMatchObject({ code: 3 })

    desk.write('secrets.lab.sops.yaml', old)
    const restored = await ichor('restore', name, '--lab', '--yes', '--over-healthy')
    expect(restored.code, restored.stderr.slice(-2000)).toBe(0)
    expect(restored.stderr).toContain('The restore puts the keys from before that back.')
    await succeeds(ichor('plan', '--lab', '--exit-code'))
    const status = JSON.parse((await desk.ichor(['status', '--lab', '--json'])).stdout)
    expect(status).toMatchObject({ healthy: true, unreadable_secrets: [], refusal: null })
    desk.write('secrets.lab.sops.yaml', newer)
    expect((await ichor('up', '--lab', '--yes')).code).toBe(3)
  }))

/** All keys of the bundle. */
function keysIn(text: string) {
  return parseSecretsFile(text, 'x').bundle
}
