/**
 * Clears from the start of the cursor's line to the end of the screen. From the second column on, because tmux keeps
 * what is cleared from the first cell of the screen in its history, so that every frame would stay above.
 */
export const clearBelow = '\r\u001b[K\u001b[C\u001b[0J\r'
