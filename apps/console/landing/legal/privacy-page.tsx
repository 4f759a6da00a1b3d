import { msg } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
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
              Account: e-mail address, password (only as a hash), language, sessions with device and
              IP address. Needed to let you in, and nobody else.
            </Trans>
          </li>
          <li>
            <Trans>
              Profile: name, address, company and VAT number, as far as you give them. Needed for
              receipts and invoices.
            </Trans>
          </li>
          <li>
            <Trans>
              Payments: amounts, times and the provider’s reference. Card data goes to the payment
              provider only and never reaches us.
            </Trans>
          </li>
          <li>
            <Trans>
              Audit log: who changed what, when and from which IP address. It lets you see misuse of
              your account.
            </Trans>
          </li>
          <li>
            <Trans>Support: your tickets and their attachments, to answer them.</Trans>
          </li>
          <li>
            <Trans>
              Players of protected servers: IP address, player name and game version of connection
              attempts. Needed to tell players from attacks; the server’s owner sees them too.
            </Trans>
          </li>
        </ul>
      </Article>
      <Article title={<Trans>3. On which ground</Trans>}>
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
            As long as your account exists. When it is deleted, its personal data goes with it: the
            texts and addresses of your servers too. Two kinds of records stay, under an id without
            your name and e-mail address.
          </Trans>
        </p>
        <ul>
          <li>
            <Trans>
              Bookkeeping: payments and purchases, as long as the law obliges us to keep them.
            </Trans>
          </li>
          <li>
            <Trans>
              The audit log: calls with their time and IP address, as long as this service is
              operated; calls about an e-mail address without logging in, under a code that stands
              for it. Each entry seals the one before it, so none can be taken out without making
              all that follow worthless as evidence.
            </Trans>
          </li>
        </ul>
      </Article>
      <Article title={<Trans>5. Who else receives it</Trans>}>
        <p>
          <Trans>
            The payment provider you choose (Stripe or PayPal), the mail server that delivers our
            mails, and where you connect one, the webhook address you entered. Nobody buys your
            data, and there is no advertising.
          </Trans>
        </p>
      </Article>
      <Article title={<Trans>6. In your browser</Trans>}>
        <p>
          <Trans>
            No tracking and no third-party scripts. The browser’s storage keeps your session, theme
            and language; one cookie connects a registration with the code sent by e-mail. Without
            these the service does not work, so no consent is asked for.
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
