import { msg } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { consolePaths } from "@palisade/contract/console-paths";
import { productFeatures } from "@palisade/contract/product-features";
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
      <Article title={<Trans>1. The parties</Trans>}>
        <p>
          <Trans>
            These terms apply between you and the operator of this service, named below. You accept
            them by registering. The version you accepted is kept with your account.
          </Trans>
        </p>
        <OperatorCard />
      </Article>
      <Article title={<Trans>2. What the service does</Trans>}>
        <p>
          <Trans>
            The service receives your players’ traffic, filters out attacks and forwards the rest to
            your server. It lowers the risk of outages, but no filter recognises every attack, and
            we do not promise that this one does.
          </Trans>
        </p>
      </Article>
      <Article title={<Trans>3. Your account</Trans>}>
        <p>
          <Trans>
            Give an e-mail address that reaches you. Keep your password, API keys and backup codes
            to yourself, and tell us if another person may have them. You are responsible for what
            is done with your account, including by people you have given access to a shield.
          </Trans>
        </p>
      </Article>
      <Article title={<Trans>4. What is not allowed</Trans>}>
        <ul>
          <li>
            <Trans>protecting servers or domains that you have no right to administer;</Trans>
          </li>
          <li>
            <Trans>
              attacking others through the service, or testing attacks on it without asking;
            </Trans>
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
            We may block a shield that is used in this way. We tell you why, unless the law forbids
            it, and you may object by e-mail.
          </Trans>
        </p>
      </Article>
      <Article title={<Trans>5. Prices and payment</Trans>}>
        <p>
          {productFeatures.renewals ? (
            <Trans>
              You top up a balance in euros. Plans and renewals are paid from it at the price shown
              before you confirm. A plan renews until you switch renewal off. If a renewal cannot be
              paid, we write to you and leave you time to pay before the shield expires.
            </Trans>
          ) : (
            <Trans>
              You top up a balance in euros. Plans are paid from it at the price shown before you
              confirm.
            </Trans>
          )}
        </p>
        <p>
          <Trans>
            Prices are without VAT. If VAT comes on top, you see it before you confirm. Each top-up
            has a receipt and each purchase an invoice, which you find in the console.
          </Trans>
        </p>
        <p>
          <Trans>
            Bonuses are spent after your own money and are not paid out. A deleted shield is not
            refunded. Your legal rights as a consumer, such as withdrawal, are not affected.
          </Trans>
        </p>
      </Article>
      <Article title={<Trans>6. Availability and liability</Trans>}>
        <p>
          {productFeatures.supportPlans ? (
            <Trans>
              We run the service with care, but do not promise uninterrupted operation unless your
              support plan says otherwise.
            </Trans>
          ) : (
            <Trans>We run the service with care, but do not promise uninterrupted operation.</Trans>
          )}{" "}
          <Trans>
            We are liable without limit for intent, gross negligence and harm to life or health.
            Otherwise we are liable only for the foreseeable damage from breaking an essential duty
            of this contract.
          </Trans>
        </p>
      </Article>
      <Article title={<Trans>7. Ending the contract</Trans>}>
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
            with them, you can end the contract before they apply. The{" "}
            <a href={consolePaths.privacy}>privacy policy</a> says which personal data we keep.
          </Trans>
        </p>
      </Article>
    </LegalLayout>
  );
}
