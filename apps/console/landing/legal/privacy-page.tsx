import { msg } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { productFeatures } from "@palisade/contract/product-features";
import type { PublicPage } from "../public-page.tsx";
import { Article, LegalLayout, OperatorCard } from "./legal-layout.tsx";

const title = msg`Privacy policy`;

export const privacyPage: PublicPage = {
  title,
  description: msg`Which data this Palisade service keeps, why, for how long, and your rights.`,
  Content: PrivacyPage,
};

function PrivacyPage() {
  return (
    <LegalLayout title={title}>
      <Article title={<Trans>1. Who is responsible</Trans>}>
        <p>
          <Trans>The operator of this service is responsible for your data:</Trans>
        </p>
        <OperatorCard />
      </Article>
      <Article title={<Trans>2. What is kept, and why</Trans>}>
        <ul>
          <li>
            <Trans>
              Account: e-mail address, password (only as a hash), passkeys (only their public keys
              and names), language, sessions with device and IP address, and for a year the devices
              and networks that you logged in from. We need them so that only you can log in.
            </Trans>
          </li>
          <li>
            <Trans>
              Profile: name, address, company and VAT number, as far as you enter them. We need them
              for receipts and invoices, and to know which VAT applies.
            </Trans>
          </li>
          <li>
            <Trans>
              Payments: amounts, times, the provider’s reference, and the country that it names.
              Receipts and invoices keep the buyer’s details as they were. Card data goes only to
              the payment provider and never reaches us.
            </Trans>
          </li>
          <li>
            <Trans>
              Audit log: who changed what, when and from which IP address. It lets you notice misuse
              of your account.
            </Trans>
          </li>
          <li>
            {productFeatures.tickets ? (
              <Trans>
                Support: your tickets and their attachments. We need them to answer you.
              </Trans>
            ) : (
              <Trans>Support: the messages you send us. We need them to answer you.</Trans>
            )}
          </li>
          <li>
            <Trans>
              Players of protected servers: IP address, player name and game version of connection
              attempts. We need them to tell players from attacks. The server’s owner sees them too.
            </Trans>
          </li>
          <li>
            <Trans>
              Status page: the address that you subscribe, encrypted, until you unsubscribe. One
              that is not confirmed is deleted after two days.
            </Trans>
          </li>
        </ul>
      </Article>
      <Article title={<Trans>3. Legal basis</Trans>}>
        <p>
          <Trans>
            The contract with you (account, payments, support), legal duties (bookkeeping), and the
            legitimate interest in defending networks against attacks (audit log, players’
            connections): Article 6(1)(b), (c) and (f) of the GDPR.
          </Trans>
        </p>
      </Article>
      <Article title={<Trans>4. How long</Trans>}>
        <p>
          <Trans>
            We keep your data as long as your account exists. Deleting the account deletes its
            personal data, including the texts and addresses of your servers. Two kinds of records
            remain under an id. Only receipts and invoices still have your name and e-mail address.
          </Trans>
        </p>
        <ul>
          <li>
            <Trans>
              Bookkeeping: payments, purchases, and issued receipts and invoices with the buyer’s
              details, as long as the law requires us to keep them.
            </Trans>
          </li>
          <li>
            <Trans>
              The audit log: calls with their time and IP address, as long as this service operates.
              Calls that name an e-mail address without a login are kept under a code that stands
              for the address. Each entry seals the one before it, so removing an entry would make
              all later entries worthless as evidence.
            </Trans>
          </li>
        </ul>
      </Article>
      <Article title={<Trans>5. Who else receives it</Trans>}>
        <p>
          <Trans>
            The payment provider you choose (Stripe or PayPal), the mail server that delivers our
            mails and, if you connect one, the webhook address you entered. Where VAT is charged,
            the European Commission’s register VIES is asked about your VAT number. We do not sell
            your data and show no advertising.
          </Trans>
        </p>
      </Article>
      <Article title={<Trans>6. In your browser</Trans>}>
        <p>
          <Trans>
            No tracking and no third-party scripts. The browser’s storage keeps your session, theme
            and language. One cookie connects a registration with the code sent by e-mail. Another
            lets your account recognise this browser for a year, so that strangers cannot lock you
            out and you are told of logins from elsewhere. The service does not work without them,
            so we do not ask for consent.
          </Trans>
        </p>
      </Article>
      <Article title={<Trans>7. Your rights</Trans>}>
        <p>
          <Trans>
            You may see, correct, export and delete your data, restrict its use, object to it, and
            complain to a data protection authority. Write to the address above; no form is needed.
          </Trans>
        </p>
      </Article>
    </LegalLayout>
  );
}
