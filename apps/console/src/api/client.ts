import { CallError, createClient, type Client } from "@palisade/contract/http/client";
import { useLocale } from "#src/lib/preferences.ts";
import { hasCode } from "./errors.ts";
import { endSession, readToken, settledToken } from "./session.ts";

const stepUpId = "twoFactor.stepUp";

/**
 * A client for the routes of the contract that calls as the signed-in user. Any 401 ends the session,
 * unless a step-up in this tab or another has replaced the token by then: the call is made again with
 * the new one.
 */
export function signedInClient(fetch?: typeof globalThis.fetch): Client {
  const send = createClient({
    baseUrl: "",
    headers: () => {
      const token = readToken();
      return {
        "accept-language": useLocale.getState().locale,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      };
    },
    ...(fetch === undefined ? {} : { fetch }),
  });
  const attempt: Client = async (definition, input) => {
    const token = readToken();
    try {
      return await send(definition, input);
    } catch (error) {
      if (isUnauthenticated(error) && token !== null) {
        // The step-up holds the lock itself: it must not wait for it.
        const current = definition.id === stepUpId ? token : await settledToken();
        if (current !== null && current !== token) return attempt(definition, input);
        endSession("expired", token);
      }
      if (hasCode(error, "two_factor_required")) lackTwoFactor();
      throw error;
    }
  };
  return attempt;
}

/** Calls a route of the contract as the signed-in user. */
export const call: Client = signedInClient();

function isUnauthenticated(error: unknown): boolean {
  return error instanceof CallError && error.status === 401;
}

let lackTwoFactor = (): void => undefined;

/** Runs `listener` when a call was refused because staff must set up two-factor first. */
export function onTwoFactorRequired(listener: () => void): void {
  lackTwoFactor = listener;
}
