import { NativeSelect } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  blockShield,
  setShieldPlan,
  unblockShield,
  type StaffShieldDetails,
} from "@palisade/contract/http/staff-shields";
import { useQuery } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { euros } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { StaffFormDialog } from "../parts/staff-form-dialog.tsx";
import { catalogueQuery } from "../plans/plans.queries.ts";

interface ShieldDialogProps {
  readonly shield: StaffShieldDetails;
  readonly onClose: () => void;
}

const reasonOnly = ({ reason }: { readonly reason: string }) => ({ reason });

export function BlockDialog({ shield, onClose }: ShieldDialogProps) {
  const { t } = useLingui();
  const name = shield.server_name;
  return (
    <StaffFormDialog
      title={t`Block ${name}`}
      action={t`Block`}
      danger
      schema={blockShield.body}
      initial={{}}
      toBody={reasonOnly}
      run={async (body) =>
        (await call(blockShield, { params: { shieldId: shield.id }, body })).data.message
      }
      onClose={onClose}
    >
      {() => (
        <p>
          <Trans>
            New players are turned away and told that the server is blocked. Players who are on stay
            until they leave. The owner reads the reason.
          </Trans>
        </p>
      )}
    </StaffFormDialog>
  );
}

export function UnblockDialog({ shield, onClose }: ShieldDialogProps) {
  const { t } = useLingui();
  const name = shield.server_name;
  return (
    <StaffFormDialog
      title={t`Unblock ${name}`}
      action={t`Unblock`}
      schema={unblockShield.body}
      initial={{}}
      toBody={reasonOnly}
      run={async (body) =>
        (await call(unblockShield, { params: { shieldId: shield.id }, body })).data.message
      }
      onClose={onClose}
    >
      {() => (
        <p>
          <Trans>
            Players can join again at once. A shield that has been unpaid for more than 72 hours is
            expired then.
          </Trans>
        </p>
      )}
    </StaffFormDialog>
  );
}

export function PlanDialog({ shield, onClose }: ShieldDialogProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const { data } = useQuery(catalogueQuery);
  const plans = data?.plans ?? [];
  return (
    <StaffFormDialog
      title={t`Change plan`}
      action={t`Change plan`}
      schema={setShieldPlan.body}
      initial={{ plan: shield.plan.slug }}
      toBody={(body) => body}
      run={async (body) =>
        (await call(setShieldPlan, { params: { shieldId: shield.id }, body })).data.message
      }
      onClose={onClose}
    >
      {(field) => (
        <>
          <p>
            <Trans>
              Nothing is charged or given back. A paid period goes on to its end; a shield without
              one gets a month as a gift. The next renewal has the price of the plan.
            </Trans>
          </p>
          <NativeSelect label={t`Plan`} {...field("plan")}>
            {plans.length === 0 ? (
              <option value={shield.plan.slug}>{shield.plan.name}</option>
            ) : null}
            {plans.map(({ slug, en, price_cents: cents }) => (
              <option key={slug} value={slug}>
                {en.name} · {euros(locale, cents)}
              </option>
            ))}
          </NativeSelect>
        </>
      )}
    </StaffFormDialog>
  );
}
