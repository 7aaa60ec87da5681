import { strict as assert } from 'node:assert'
import { parse, parseDocument } from 'yaml'
import { clearText, openText, sealText } from '../../../src/secrets/sealed-text.js'
import { sealSops } from '../../../src/secrets/sops/seal-sops.js'
import type { Check } from './check.js'
import { documents, selections } from './documents.js'
import type { Workshop } from './workshop.js'

const notify = () => {}

function sealed(shop: Workshop, clear: string): Promise<string> {
  return sealText(clear, `${shop.folder}/file.yaml`, { env: shop.env, notify })
}

async function opened(shop: Workshop, text: string): Promise<string> {
  return clearText(await openText(text, 'file.yaml', shop.env))
}

async function sealedBySops(shop: Workshop, clear: string): Promise<string> {
  return shop.run('sops', ['encrypt', await shop.write('file.yaml', clear)])
}

async function openedBySops(shop: Workshop, text: string): Promise<string> {
  return shop.run('sops', ['decrypt', await shop.write('file.yaml', text)])
}

function writeRules(shop: Workshop, selection: string): Promise<string> {
  return shop.write('.sops.yaml', `creation_rules:\n  - age: ${shop.recipient}\n    ${selection}\n`)
}

function assertSame(actual: string, expected: string): void {
  assert.deepEqual(parse(actual, { intAsBigInt: true }), parse(expected, { intAsBigInt: true }))
  assert.deepEqual(commentsOf(actual), commentsOf(expected))
}

/** Programs move comments a little; none may be lost, added or changed. */
function commentsOf(text: string): string[] {
  const found = text.split('\n').flatMap((line) => /(?:^|\s)#(.*)$/.exec(line)?.[1] ?? [])
  return found.filter((comment) => !comment.includes('not a comment')).sort()
}

const pairs = Object.entries(documents).flatMap(([shape, clear]) =>
  Object.entries(selections).map(([choice, selection]) => ({ shape, clear, choice, selection })),
)

const exchanges: Check[] = pairs.flatMap(({ shape, clear, choice, selection }) => [
  {
    title: `sops opens what we sealed: ${shape}, ${choice}`,
    run: async (shop: Workshop) => {
      await writeRules(shop, selection)
      assertSame(await openedBySops(shop, await sealed(shop, clear)), clear)
    },
  },
  {
    title: `we open what sops sealed: ${shape}, ${choice}`,
    run: async (shop: Workshop) => {
      await writeRules(shop, selection)
      assertSame(await opened(shop, await sealedBySops(shop, clear)), clear)
    },
  },
  {
    title: `what sops sealed and we sealed again, sops opens: ${shape}, ${choice}`,
    run: async (shop: Workshop) => {
      await writeRules(shop, selection)
      const open = await openText(await sealedBySops(shop, clear), 'file.yaml', shop.env)
      open.document.set('added', open.document.createNode('later'))
      assertSame(await openedBySops(shop, sealSops(open, new Date(), 'file.yaml')), `${clear}added: later\n`)
    },
  },
])

const clear = documents['comments everywhere'] ?? ''
const tokens = documents['tokens and keys'] ?? ''

const rest: Check[] = [
  {
    title: 'the same rules leave the same values clear and write the same settings',
    run: async (shop) => {
      for (const selection of Object.values(selections)) {
        await writeRules(shop, selection)
        const [ours, theirs] = [await sealed(shop, tokens), await sealedBySops(shop, tokens)]
        assert.deepEqual(outline(ours), outline(theirs))
      }
    },
  },
  {
    title: 'sops changes a value of our file, and we open it',
    run: async (shop) => {
      const path = await shop.write('file.yaml', await sealed(shop, tokens))
      shop.run('sops', ['set', path, '["ichor"]["bootstrapped"]', 'false'])
      assert.equal(parse(await opened(shop, await shop.read('file.yaml'))).ichor.bootstrapped, false)
    },
  },
  {
    title: 'sops rotates the data key of our file, and we open it',
    run: async (shop) => {
      const path = await shop.write('file.yaml', await sealed(shop, clear))
      shop.run('sops', ['rotate', '--in-place', path])
      assertSame(await opened(shop, await shop.read('file.yaml')), clear)
    },
  },
  {
    title: 'sops refuses our file once a clear value was changed',
    run: async (shop) => {
      await writeRules(shop, 'unencrypted_regex: ^a$')
      const changed = (await sealed(shop, clear)).replace(/^a: 1/m, 'a: 9')
      await assert.rejects(openedBySops(shop, changed), /MAC mismatch/)
    },
  },
  {
    title: 'we refuse a file of sops once a clear value was changed',
    run: async (shop) => {
      await writeRules(shop, 'unencrypted_regex: ^a$')
      const changed = (await sealedBySops(shop, clear)).replace(/^a: 1/m, 'a: 9')
      await assert.rejects(opened(shop, changed), /was changed after it was encrypted/)
    },
  },
  {
    title: 'neither opens a file without its key',
    run: async (shop) => {
      const text = await sealed(shop, clear)
      const env = { HOME: `${shop.folder}/elsewhere` }
      await assert.rejects(openText(text, 'file.yaml', env), /No age key was found/)
      await shop.write('age-key.txt', '')
      await assert.rejects(openedBySops(shop, text), /no identity matched|Failed to get the data key/)
    },
  },
]

/** Which values are encrypted, and the settings under `sops:` that do not depend on keys and time. */
function outline(text: string): unknown {
  const document = parseDocument(text)
  const { age, lastmodified, mac, version, ...settings } = document.toJS().sops
  document.delete('sops')
  const masked = JSON.stringify(document.toJS()).replaceAll(/ENC\[[^\]]*\]/g, 'ENC')
  return { settings, recipients: age.map((entry: { recipient: string }) => entry.recipient), masked }
}

export const sopsChecks: readonly Check[] = [...exchanges, ...rest]
