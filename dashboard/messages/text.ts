/**
 * UI strings of every page. Each section has separate strings, which load with its pages. A string with values is a
 * function, because languages order and inflect them differently.
 */
export const text = {
  common: {
    appName: 'Trifold',
    cancel: 'Cancel',
    close: 'Close',
    copied: 'Copied',
    copy: 'Copy',
    selected: 'Selected: press Ctrl+C or ⌘C',
    create: 'Create',
    delete: 'Delete',
    loading: 'Loading…',
    loadMore: 'Load more',
    retry: 'Try again',
    save: 'Save',
    search: 'Search',
    skipToContent: 'Skip to content',
    actions: 'Actions',
    any: 'Any',
    filters: 'Filters',
    clearFilters: 'Clear the filters',
    never: 'Never',
    justNow: 'a moment ago',
    dismiss: 'Dismiss',
  },
  errors: {
    title: 'Something went wrong',
    unreachable:
      'The service does not respond. Check that it is running and that you are online, then try again.',
    invalid: 'The service does not accept these values:',
    sessionEnded: 'Your session has ended. Sign in again to continue.',
    forbidden: (scopes: string) =>
      `This requires the ${scopes} scope, which your key does not have. Sign in with a key that has it.`,
    rateLimited: (seconds: number) => `Too many requests. Try again in ${seconds} s.`,
    requestId: (id: string) => `Request ${id}`,
    page: 'This page cannot be shown.',
    notFound: 'Page not found.',
    backToStart: 'Go to the start page',
  },
  session: {
    title: 'Sign in to Trifold',
    key: 'API key',
    keyHint: 'The key is sent once and is not stored in this browser.',
    keyInvalid: 'A key is tf_live_ or tf_test_ followed by 43 letters and digits.',
    signIn: 'Sign in',
    signInWith: (provider: string) => `Sign in with ${provider}`,
    orKey: 'Or sign in with an API key:',
    /** By the gateway's reason. */
    problems: {
      denied:
        'The identity provider did not let you in, or you cancelled. Try again, or ask your administrator.',
      no_access:
        'You do not have access to Trifold. Ask your administrator to add you to a group that has access.',
      no_account:
        'The account that you have access to does not exist. Ask your administrator to create its namespace.',
      too_many: 'Too many users are signing in. Try again in a few seconds.',
      expired: 'The sign-in took too long or was started twice. Try again.',
      unavailable: 'The identity provider or this service cannot be reached. Try again in a minute.',
      failed:
        'The identity provider sent an unexpected response. Try again, or ask your administrator to check the gateway log.',
    },
    signOut: 'Sign out',
    signedInAs: (account: string) => `Account ${account}`,
    testMode: 'Test mode',
    readOnly: 'Read-only',
    readOnlyHint: 'Your key cannot change anything.',
    noKey: 'No key? On the machine that runs this service, this command prints a sign-in link:',
  },
  navigation: {
    label: 'Main',
    menu: 'Menu',
    collapse: 'Collapse the navigation',
    show: 'Show the navigation',
    start: 'Start',
    templates: 'Templates',
    documents: 'Documents',
    emails: 'Emails',
    webhooks: 'Webhooks',
    keys: 'API keys',
    requests: 'Requests',
    usage: 'Usage and billing',
    themeDark: 'Use the dark theme',
    themeLight: 'Use the light theme',
    apiReference: 'API reference',
  },
  unsaved: {
    title: 'Leave without saving?',
    text: 'This page has unsaved changes.',
    stay: 'Stay',
    leave: 'Leave',
  },
};
