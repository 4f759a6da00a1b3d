import { createClient, type Client } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { z } from "zod";

const mailbox = z.array(z.object({ to: z.string(), text: z.string() }));

/** The password of every account the tests create. */
export const password = "correct horse battery";

/** The newest confirmation code that was mailed to the address, from the development mailbox. */
export async function mailedCode(consoleUrl: string, email: string): Promise<string> {
  return until(
    async () => {
      const response = await fetch(`${consoleUrl}/dev/mail.json`);
      const mails = mailbox.parse(await response.json()).filter(({ to }) => to.includes(email));
      // The code stands on a line of its own.
      return mails.map(({ text }) => /^[0-9A-Z]{8}$/m.exec(text)?.[0]).find(Boolean);
    },
    { what: `a code for ${email} in the mailbox` },
  );
}

/** A confirmed account, logged in, by the API. */
export async function signUp(consoleUrl: string, email: string): Promise<Client> {
  const anonymous = createClient({ baseUrl: consoleUrl });
  await anonymous(routes.auth.register, {
    body: { email, password, password_confirmation: password, accept_privacy_policy: true },
  });
  const code = await mailedCode(consoleUrl, email);
  await anonymous(routes.auth.verifyEmailCode, { body: { email, code } });
  return clientOf(consoleUrl, await logInAs(consoleUrl, email));
}

/** A new access token of the account. */
export async function logInAs(consoleUrl: string, email: string): Promise<string> {
  const anonymous = createClient({ baseUrl: consoleUrl });
  const { data } = await anonymous(routes.auth.login, { body: { email, password } });
  if (data.requires_two_factor) throw new Error(`${email} has two-factor on`);
  return data.access_token;
}

export function clientOf(consoleUrl: string, accessToken: string): Client {
  const headers = (): Record<string, string> => ({ authorization: `Bearer ${accessToken}` });
  return createClient({ baseUrl: consoleUrl, headers });
}

export interface CreatedShield {
  readonly id: string;
  readonly label: string;
  readonly domain: string;
  /** The api's words, in the client's language. */
  readonly message: string;
}

/** A shield at this machine's location, in front of the backend; on the free plan if none is named. */
export async function createShield(
  call: Client,
  backend: { readonly host: string; readonly port: number },
  domain: string,
  planName?: string,
): Promise<CreatedShield> {
  const { plans } = (await call(routes.plans.listPricingPlans, {})).data;
  const plan = plans.find(({ name, price_cents: price }) =>
    planName === undefined ? price === 0 : name === planName,
  );
  if (plan === undefined) throw new Error(`there is no plan ${planName ?? "for nothing"}`);
  // Its edge may still be saying hello.
  await until(
    async () =>
      (await call(routes.plans.listLocations, { query: {} })).data.locations.some(
        (location) => location.name === "local" && location.is_available,
      ),
    { what: "the location of this machine" },
  );
  const { cname_record: label } = (await call(routes.servers.generateCname, {})).data;
  const { data } = await call(routes.servers.createServer, {
    body: {
      pricing_plan_id: plan.id,
      server_name: "Skyline",
      real_ip: backend.host,
      real_port: backend.port,
      location: "local",
      domain,
      cname_record: label,
    },
  });
  return { id: data.server.id, label, domain, message: data.message };
}
