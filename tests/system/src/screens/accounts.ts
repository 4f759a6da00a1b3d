import { createClient, type Client } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";
import { mailedCode } from "../product/account.ts";

export interface TestAccount {
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly call: Client;
}

/** A confirmed account with its token, by the API. */
export async function createAccount(consoleUrl: string, email: string): Promise<TestAccount> {
  const password = "correct horse battery";
  const anonymous = createClient({ baseUrl: consoleUrl });
  await anonymous(routes.auth.register, {
    body: { email, password, password_confirmation: password, accept_privacy_policy: true },
  });
  const code = await mailedCode(consoleUrl, email);
  await anonymous(routes.auth.verifyEmailCode, { body: { email, code } });
  const { data } = await anonymous(routes.auth.login, { body: { email, password } });
  if (data.requires_two_factor) throw new Error(`${email} has two-factor on`);
  const token = data.access_token;
  const headers = () => ({ authorization: `Bearer ${token}` });
  return { email, password, token, call: createClient({ baseUrl: consoleUrl, headers }) };
}

export interface Appearance {
  readonly theme: "dark" | "light";
  readonly locale: "en" | "ru";
}

export const appearances: readonly Appearance[] = (["dark", "light"] as const).flatMap((theme) =>
  (["en", "ru"] as const).map((locale) => ({ theme, locale })),
);

/** Each theme and each language once: what colours break no words do, and the other way round. */
export const oppositeAppearances: readonly Appearance[] = appearances.filter(
  ({ theme, locale }) => (theme === "dark") === (locale === "en"),
);
