import "@mantine/core/styles/Radio.css";
import { Radio } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  freezePurchases,
  type quarantineResolutions,
  resolveQuarantine,
  type QuarantinedPayment,
} from "@palisade/contract/http/staff-books";
import { call } from "#src/api/client.ts";
import { euros } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import parts from "../parts/parts.module.css";
import { StaffFormDialog } from "../parts/staff-form-dialog.tsx";

type Resolution = (typeof quarantineResolutions)[number];

export function FreezeDialog({ isFrozen, onClose }: { isFrozen: boolean; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <StaffFormDialog
      title={isFrozen ? t`Open purchases` : t`Freeze purchases`}
      action={isFrozen ? t`Open purchases` : t`Freeze purchases`}
      danger={!isFrozen}
      schema={freezePurchases.body}
      initial={{}}
      toBody={({ reason }) => ({ is_frozen: !isFrozen, reason })}
      run={async (body) => (await call(freezePurchases, { body })).data.message}
      onClose={onClose}
    >
      {() => (
        <p>
          {isFrozen ? (
            <Trans>
              Customers can buy and upgrade again. Check the ledger first: the reason of the freeze
              should be gone.
            </Trans>
          ) : (
            <Trans>
              Customers cannot buy or upgrade until staff open purchases again. Protection, renewals
              and top-ups go on.
            </Trans>
          )}
        </p>
      )}
    </StaffFormDialog>
  );
}

interface ResolveDialogProps {
  readonly found: QuarantinedPayment;
  readonly fourEyesCents: number;
  readonly onClose: () => void;
}

export function ResolveDialog({ found, fourEyesCents, onClose }: ResolveDialogProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const amount = euros(locale, found.amount_cents);
  const limit = euros(locale, fourEyesCents);
  const payer = found.email ?? "";
  const initial: { readonly resolution: Resolution } = {
    resolution: found.can_credit ? "credit" : "returned",
  };
  return (
    <StaffFormDialog
      title={t`Settle the case`}
      action={t`Settle`}
      schema={resolveQuarantine.body}
      initial={initial}
      toBody={(body) => body}
      run={async (body) =>
        (await call(resolveQuarantine, { params: { caseId: found.id }, body })).data.message
      }
      onClose={onClose}
    >
      {(field) => (
        <>
          <p className={parts["reason"]}>
            {found.provider} {found.reference}: {found.reason}
          </p>
          <Radio.Group label={t`What becomes of it`} {...field("resolution")}>
            <Radio
              mt={8}
              value="credit"
              disabled={!found.can_credit}
              label={t`Credit the payer`}
              description={
                found.can_credit
                  ? t`${payer} gets ${amount}`
                  : t`Not possible: the payer is unknown, or the money is not in euros`
              }
            />
            <Radio
              mt={8}
              value="returned"
              label={t`The money was sent back`}
              description={t`Send it back at the provider first`}
            />
            <Radio
              mt={8}
              value="dismiss"
              label={t`There was no money of a payer`}
              description={t`For example a test`}
            />
          </Radio.Group>
          {Math.abs(found.amount_cents) > fourEyesCents ? (
            <p>
              <Trans>Above {limit}, a second staff member has to confirm it.</Trans>
            </p>
          ) : null}
        </>
      )}
    </StaffFormDialog>
  );
}
