import { defineFault } from './define-fault.js'

export const breakImage = defineFault({
  name: 'break-image',
  subject: 'image',
  effect: 'the installer `--image` succeeds, but its system does not boot',
  needs: ['image'],
  end: 'permanent',
  run: ({ talos }, { image }) => talos.breakImage(image),
})
