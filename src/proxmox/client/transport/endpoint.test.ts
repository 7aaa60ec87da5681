import { expect, test } from 'vitest'
import { parseEndpoint } from './endpoint.js'

test.each([
  ['https://pve1.lan:8006/api2/json', 'pve1.lan', 8006],
  ['https://pve1.lan:8006/', 'pve1.lan', 8006],
  ['https://pve1', 'pve1', 8006],
  ['10.0.0.5:18006', '10.0.0.5', 18006],
  ['https://proxmox.example.com:443', 'proxmox.example.com', 443],
  ['https://[fd00::1]:8006', 'fd00::1', 8006],
])('%s is port %s of %s', (text, host, port) => {
  expect(parseEndpoint(text)).toEqual({ host, port })
})

test.each(['http://pve1:8006', '', 'https://', 'ftp://pve1'])('%j is refused with the way to write it', (text) => {
  expect(() => parseEndpoint(text)).toThrow(/is not the address of a Proxmox API/)
})
