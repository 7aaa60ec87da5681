import { expect, test } from 'vitest'
import { s3Location } from './s3-location.js'
import { encodePart, sha256, signRequest } from './sign.js'

const credentials = { accessKey: 'AKIAIOSFODNN7EXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' }
const at = new Date('2013-05-24T00:00:00Z')
const nothing = sha256('')

/** The examples of the published specification of the signature. */
test.each([
  ['GET', '/test.txt', { range: 'bytes=0-9' }, 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'],
  ['GET', '/?lifecycle', {}, 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
  ['GET', '/?max-keys=2&prefix=J', {}, '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
])('%s %s is signed as published', (method, path, headers, signature) => {
  const url = new URL(path, 'https://examplebucket.s3.amazonaws.com')
  const signed = signRequest({ method, url, headers, bodyHash: nothing }, credentials, 'us-east-1', at)
  expect(signed.authorization).toContain(`Signature=${signature}`)
  expect(JSON.stringify(signed)).not.toContain(credentials.secretKey)
})

test('a session token is sent and signed', () => {
  const url = new URL('https://s3.example.com/b')
  const signed = signRequest(
    { method: 'GET', url, headers: {}, bodyHash: nothing },
    { ...credentials, sessionToken: 't' },
    'eu',
    at,
  )
  expect(signed['x-amz-security-token']).toBe('t')
  expect(signed.authorization).toContain('x-amz-security-token')
})

test('signs that a URL may hold and the signature may not are encoded', () => {
  expect(encodePart("a b+c!'()*~/")).toBe('a%20b%2Bc%21%27%28%29%2A~%2F')
})

const env = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }

test.each([
  ['s3://bucket', {}, 'bucket', '', 'https://s3.us-east-1.amazonaws.com/'],
  ['s3://bucket/', { region: 'eu-central-1' }, 'bucket', '', 'https://s3.eu-central-1.amazonaws.com/'],
  ['s3://bucket/a/b/', { endpoint: 'minio.lan:9000' }, 'bucket', 'a/b/', 'https://minio.lan:9000/'],
  ['s3://bucket/a', { endpoint: 'http://127.0.0.1:1' }, 'bucket', 'a/', 'http://127.0.0.1:1/'],
])('%s with %j', (store, settings, bucket, prefix, endpoint) => {
  const found = s3Location(store, settings, env)
  expect(found).toMatchObject({ bucket, prefix, credentials: { accessKey: 'a', secretKey: 'b' } })
  expect(found.endpoint.href).toBe(endpoint)
})

test('http is for this computer alone, unless the host is allowed', () => {
  const endpoint = 'http://minio.lan:9000'
  expect(() => s3Location('s3://b', { endpoint }, env)).toThrow('over unencrypted http')
  expect(s3Location('s3://b', { endpoint, allowHttp: ['minio.lan'] }, env).endpoint.href).toBe(`${endpoint}/`)
})

test('settings override the environment, and without either the error lists what to set', () => {
  const own = { accessKey: 'x', secretKey: 'y' }
  expect(s3Location('s3://b', own, env).credentials).toEqual(own)
  expect(() => s3Location('s3://b', {}, {})).toThrow('There are no credentials for the S3 service.')
  expect(() => s3Location('s3://b', { ...own, endpoint: 'ftp://x' }, {})).toThrow('not the address of an S3 service')
})
