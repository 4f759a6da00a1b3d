import { msg } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { consolePaths } from "@palisade/contract/console-paths";
import type { PublicPage } from "../public-page.tsx";
import { Article, LegalLayout, OperatorCard } from "./legal-layout.tsx";

const title = msg`Terms of service`;

export const termsPage: PublicPage = {
  title,
  description: msg`The terms under which this Palisade service may be used.`,
  Content: TermsPage,
};

function TermsPage() {
  return (
    <LegalLayout title={title}>
      <Article title={<Trans>1. Who you agree with</Trans>}>
        <p>
          <Trans>
            These terms are between you and the operator of this service, named here. By registering
            you accept them; the version you accepted is kept with your account.
          </Trans>
        </p>
        <OperatorCard />
      </Article>
      <Article title={<Trans>2. What the service does</Trans>}>
        <p>
          <Trans>
            The service receives the traffic of your players, filters it and passes on to your
            server what is not an attack. It lowers the risk of outages; no filter recognises every
            attack, and none is promised to.
          </Trans>
        </p>
      </Article>
      <Article title={<Trans>3. Your account</Trans>}>
        <p>
          <Trans>
            Give an e-mail address that reaches you. Keep password, API keys and backup codes to
            yourself, and tell us when somebody else may have them. What is done with your account
            counts as done by you, including by those you have given access to a shield.
          </Trans>
        </p>
      </Article>
      <Article title={<Trans>4. What is not allowed</Trans>}>
        <ul>
          <li>
            <Trans>protecting servers or domains that you have no right to administer;</Trans>
          </li>
          <li>
            <Trans>attacking others through the service, or testing attacks on it unasked;</Trans>
          </li>
          <li>
            <Trans>content or offers that the law forbids;</Trans>
          </li>
          <li>
            <Trans>getting around limits of the plan or of the network.</Trans>
          </li>
        </ul>
        <p>
          <Trans>
            A shield used in this way may be blocked. We tell you why, unless the law forbids it,
            and you may object by a ticket.
          </Trans>
        </p>
      </Article>
      <Article title={<Trans>5. Prices and payment</Trans>}>
        <p>
          <Trans>
            You top up a balance in euros; plans and renewals are paid from it at the price shown
            before you confirm. A plan renews until you switch renewal off. If a renewal cannot be
            paid, we write to you and leave time to pay before the shield expires.
          </Trans>
        </p>
        <p>
          <Trans>
            Bonuses are spent after your own money and are not paid out. A deleted shield is not
            refunded. Rights of consumers that the law gives you, among them withdrawal, remain.
          </Trans>
        </p>
      </Article>
      <Article title={<Trans>6. Availability and liability</Trans>}>
        <p>
          <Trans>
            We run the service with care, but without a promise of uninterrupted operation unless
            your support plan says otherwise. We are liable without limit for intent, gross
            negligence and harm to life or health; otherwise only for the foreseeable damage from
            breaking an essential duty of this contract.
          </Trans>
        </p>
      </Article>
      <Article title={<Trans>7. Ending it</Trans>}>
        <p>
          <Trans>
            You can delete your shields and your account at any time. We can end the contract with
            30 days’ notice, or at once for a serious breach of section 4.
          </Trans>
        </p>
      </Article>
      <Article title={<Trans>8. Changes</Trans>}>
        <p>
          <Trans>
            We announce changes of these terms by e-mail at least 30 days ahead. If you do not agree
            with them, you can end the contract before they apply. What personal data is kept is in
            the <a href={consolePaths.privacy}>privacy policy</a>.
          </Trans>
        </p>
      </Article>
    </LegalLayout>
  );
}
