import { TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  giveSupportPlan,
  offerPlan,
  offerSupportPlan,
  pricePlan,
  priceSupportPlan,
  type StaffPlan,
  type StaffSupportPlan,
} from "@palisade/contract/http/staff-plans";
import { call } from "#src/api/client.ts";
import { euros } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { centsOf, euroText } from "../parts/euro-text.ts";
import { StaffFormDialog } from "../parts/staff-form-dialog.tsx";

interface PlanDialogProps {
  readonly kind: "plan" | "support";
  readonly plan: StaffPlan | StaffSupportPlan;
  readonly onClose: () => void;
}

export function PriceDialog({ kind, plan, onClose }: PlanDialogProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const { name } = plan.en;
  const now = euros(locale, plan.price_cents);
  const route = kind === "plan" ? pricePlan : priceSupportPlan;
  return (
    <StaffFormDialog
      title={t`Price of ${name}`}
      action={t`Change price`}
      schema={route.body}
      initial={{ price_cents: euroText(plan.price_cents) }}
      toBody={({ price_cents, reason }) => ({ price_cents: centsOf(price_cents), reason })}
      run={async (body) => (await call(route, { params: { plan: plan.slug }, body })).data.message}
      onClose={onClose}
    >
      {(field) => (
        <>
          <p>
            <Trans>
              The price is {now} now. The new one holds for what is bought from now on; those who
              are on the plan keep their price.
            </Trans>
          </p>
          <TextInput
            label={t`Price a month in euros, without VAT`}
            inputMode="decimal"
            {...field("price_cents")}
          />
        </>
      )}
    </StaffFormDialog>
  );
}

export function OfferDialog({ kind, plan, onClose }: PlanDialogProps) {
  const { t } = useLingui();
  const { name } = plan.en;
  const isRetired = plan.is_retired;
  const route = kind === "plan" ? offerPlan : offerSupportPlan;
  return (
    <StaffFormDialog
      title={isRetired ? t`Offer ${name} again` : t`Retire ${name}`}
      action={isRetired ? t`Offer again` : t`Retire`}
      danger={!isRetired}
      schema={route.body}
      initial={{}}
      toBody={({ reason }) => ({ is_offered: isRetired, reason })}
      run={async (body) => (await call(route, { params: { plan: plan.slug }, body })).data.message}
      onClose={onClose}
    >
      {() => (
        <p>
          {isRetired ? (
            <Trans>Customers can buy it again.</Trans>
          ) : (
            <Trans>
              It cannot be bought any more. Those who are on it keep it, and it is renewed at their
              price.
            </Trans>
          )}
        </p>
      )}
    </StaffFormDialog>
  );
}

export function GiveDialog({ plan, onClose }: Omit<PlanDialogProps, "kind">) {
  const { t } = useLingui();
  const { name } = plan.en;
  return (
    <StaffFormDialog
      title={t`Give ${name} to an account`}
      action={t`Give`}
      schema={giveSupportPlan.body}
      initial={{ email: "" }}
      toBody={(body) => body}
      run={async (body) =>
        (await call(giveSupportPlan, { params: { plan: plan.slug }, body })).data.message
      }
      onClose={onClose}
    >
      {(field) => (
        <>
          <p>
            <Trans>
              Nothing is charged. An account without a paid plan gets a month as a gift; the next
              renewal has the price of the plan.
            </Trans>
          </p>
          <TextInput
            type="email"
            label={t`E-mail of the account`}
            autoComplete="off"
            {...field("email")}
          />
        </>
      )}
    </StaffFormDialog>
  );
}
