import { TrifoldError } from '@trifold/platform/service/trifold-error.ts';

/**
 * Why a person could not sign in; the sign-in page has a text for each (dashboard/messages/en.ts).
 * `denied`: the person or the provider refused. `no_access`: no grant fits the claims. `no_account`: the account of the
 * grant does not exist. `expired`: the sign-in took too long, or its code was used. `unavailable`: the provider or this
 * service cannot be reached. `failed`: the provider answered with another error. `too_many`: too many
 * sign-ins wait for the provider.
 */
export type SignInReason =
  | 'denied'
  | 'no_access'
  | 'no_account'
  | 'expired'
  | 'unavailable'
  | 'failed'
  | 'too_many';

/** A sign-in that failed. The message is for the log and contains neither tokens nor claims. */
export class SignInProblem extends TrifoldError<SignInReason> {}
