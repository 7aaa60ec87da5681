import { expect, test } from 'vitest'
import { isPlainHttp } from './plain-http.js'

test.each([
  ['http://factory.lan/image', true],
  ['http://10.0.0.1:8200', true],
  ['http://127.0.0.1.example.com', true],
  ['HTTP://factory.lan', true],
  ['https://factory.lan', false],
  ['http://127.0.0.1:8200', false],
  ['http://localhost:8080', false],
  ['http://[::1]:8080', false],
  ['oci://registry.lan/charts', false],
  ['manifests/app.yaml', false],
])('%s goes in the clear over a network: %s', (address, expected) => {
  expect(isPlainHttp(address)).toBe(expected)
})
