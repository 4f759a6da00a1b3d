import { allRoutes } from "@palisade/contract/http/routes";
import { serverMessages } from "@palisade/contract/http/server-messages";
import { hostileTexts } from "@palisade/testing/hostile-texts";
import { textFieldsOf, withText } from "@palisade/testing/text-fields";

/** The pages that show each free text of a customer; a new free text has to be added here. */
export const seenAt: Readonly<Record<string, string>> = {
  "account.updateProfile address_line_1": "profile",
  "account.updateProfile address_line_2": "profile",
  "account.updateProfile city": "profile",
  "account.updateProfile company_name": "profile",
  "account.createApiKey name": "security, audit log, mail, export",
  "passkeys.add name": "security",
  "passkeys.rename name": "rename a passkey",
  "backends.create name": "backends, edit a group",
  "backends.update name": "backends, edit a group",
  "firewall.import text": "import, what cannot be read",
  "firewall.import entries.0": "import, what cannot be read",
  "firewall.import entries.0.ip": "import, what cannot be read",
  "firewall.import entries.0.note": "firewall, history",
  "firewall.addEntry note": "firewall, history",
  "firewall.updateEntry note": "firewall, history",
  "firewall.addNetwork note": "countries and networks",
  ...Object.fromEntries(
    Object.entries(serverMessages.shape).flatMap(([group, { shape }]) =>
      Object.keys(shape).map((name) => [`serverMessages.update ${group}.${name}`, "customization"]),
    ),
  ),
  "notifications.update attack_started_msg": "notifications, mail",
  "notifications.update attack_stopped_msg": "notifications, mail",
  "audit.list endpoint": "audit log",
  "invoices.list number": "invoices, filtered",
  "invoices.export number": "invoices, filtered",
  "audit.export endpoint": "audit log",
  "logs.entries q": "log, filtered",
  "logs.export q": "log, filtered",
  "logs.tail q": "log, filtered",
  "tickets.create subject": "ticket",
  "tickets.create message": "ticket",
  "tickets.reply message": "ticket",
  "tickets.rate comment": "ticket",
};
/** Secrets, what has to equal something known or to have a country's form, what is looked up. */
const neverSeen =
  /(vat_id|password|password_confirmation|email_confirmation|token|cname_record|location|region|cursor|(promo_)?code)$|^account\.delete email$|^servers\.delete |^firewall\.import entries\.0\.expires_at$/;

/** Every field of the contract that takes a customer's own words, as `route field`. */
export function freeTexts(): Set<string> {
  const markup = hostileTexts["event handler"] ?? "";
  const fields = allRoutes
    .filter(({ access, rawBody }) => access !== "edge" && access !== "staff" && rawBody !== true)
    .flatMap(({ id, body, querystring }) =>
      [body, querystring].flatMap((schema) => {
        if (schema === undefined) return [];
        const takers = textFieldsOf(schema).filter((field) => {
          const { error } = schema.safeParse(withText({}, field, markup));
          return !error?.issues.some(({ path }) => path.join() === field.join());
        });
        return takers.map((field) => `${id} ${field.join(".")}`);
      }),
    );
  return new Set(fields.filter((field) => !neverSeen.test(field)));
}
