export type { Entrance } from './lab-door.js'
export { openSocks } from './socks.js'
export { openSsh, type SshEntrance } from './ssh.js'
