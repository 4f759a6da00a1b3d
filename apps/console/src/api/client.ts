import { CallError, createClient, type Client } from "@palisade/contract/http/client";
import { useLocale } from "#src/lib/preferences.ts";
import { hasCode } from "./errors.ts";
import { endSession, readToken } from "./session.ts";

const send = createClient({
  baseUrl: "",
  headers: () => {
    const token = readToken();
    return {
      "accept-language": useLocale.getState().locale,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    };
  },
});

/** Calls a route of the contract as the signed-in user. Any 401 ends the session. */
export const call: Client = async (definition, input) => {
  const token = readToken();
  try {
    return await send(definition, input);
  } catch (error) {
    if (error instanceof CallError && error.status === 401 && token !== null) {
      endSession("expired", token);
    }
    if (hasCode(error, "two_factor_required")) lackTwoFactor();
    throw error;
  }
};

let lackTwoFactor = (): void => undefined;

/** Runs `listener` when a call was refused because staff must set up two-factor first. */
export function onTwoFactorRequired(listener: () => void): void {
  lackTwoFactor = listener;
}
