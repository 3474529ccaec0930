/** The editor's commands and keys. */
export const palette = {
  title: 'Commands',
  search: 'Search commands',
  none: 'Nothing matches.',
  goTo: (part: string) => `Go to ${part}`,
  showInPages: 'Show in pages',
  shortcuts: 'Keyboard shortcuts',
  /** `Mod` is Ctrl, or ⌘ on a Mac. */
  keys: {
    commands: ['Mod+K', 'Commands'],
    save: ['Mod+S', 'Save'],
    reveal: ['Mod+Alt+P', 'Go from the text to the page, and back'],
    find: ['Mod+F', 'Find and replace in the text'],
    complete: ['Ctrl+Space', 'Complete bindings and helpers'],
    problem: ['F8', 'Next problem in the text'],
    leave: ['Escape, Tab', 'Leave the editor'],
    help: ['?', 'Keyboard shortcuts, outside text fields'],
  },
};
