import { Button, TextInput } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  addPromoCode,
  endPromoCode,
  listPromoCodes,
  type StaffPromoCode,
} from "@palisade/contract/http/staff-promo-codes";
import { IconDiscount2, IconPlus } from "@tabler/icons-react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { euros, wholeNumber } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { PageHead } from "#src/ui/page-head.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { Status } from "#src/ui/status.tsx";
import { Day, RelativeTime } from "#src/ui/time.tsx";
import { wholeOrNull } from "../parts/euro-text.ts";
import parts from "../parts/parts.module.css";
import { StaffFormDialog } from "../parts/staff-form-dialog.tsx";
import { StaffRows, type StaffColumn } from "../parts/staff-rows.tsx";
import { useMay } from "../parts/use-may.ts";

const promoCodesQuery = queryOptions({
  queryKey: ["staff", "promo-codes"],
  queryFn: async ({ signal }) => (await call(listPromoCodes, { signal })).data.promo_codes,
});

export function PromoCodesPage() {
  const { t } = useLingui();
  useDocumentTitle(`${t`Promo codes`} · Palisade`);
  const query = useQuery(promoCodesQuery);
  const [dialog, setDialog] = useState<"add" | StaffPromoCode | null>(null);
  const may = useMay();
  const columns = useColumns(setDialog);
  const close = () => setDialog(null);
  const add = may(addPromoCode) ? (
    <Button leftSection={<IconPlus size={16} stroke={1.8} />} onClick={() => setDialog("add")}>
      <Trans>Add promo code</Trans>
    </Button>
  ) : undefined;
  return (
    <div className={parts["page"]}>
      <PageHead title={<Trans>Promo codes</Trans>} aside={add} />
      <Panel>
        <QueryBoundary query={query} errorTitle={t`The promo codes could not be loaded`}>
          {(codes) =>
            codes.length === 0 ? (
              <EmptyState
                icon={<IconDiscount2 size={22} stroke={1.6} />}
                title={t`No promo codes yet`}
                text={<Trans>A promo code adds a bonus to what a customer tops up.</Trans>}
                action={add}
              />
            ) : (
              <StaffRows
                label={t`Promo codes`}
                columns={columns}
                rows={codes}
                keyOf={({ code }) => code}
              />
            )
          }
        </QueryBoundary>
      </Panel>
      {dialog === "add" ? <AddDialog onClose={close} /> : null}
      {dialog !== null && dialog !== "add" ? <EndDialog code={dialog} onClose={close} /> : null}
    </div>
  );
}

function useColumns(onEnd: (code: StaffPromoCode) => void): readonly StaffColumn<StaffPromoCode>[] {
  const { t } = useLingui();
  const { locale } = useLocale();
  const may = useMay();
  return [
    {
      key: "code",
      name: t`Code`,
      bare: true,
      renderCell: ({ code }) => (
        <span className="mono">
          {code}
          <CopyButton value={code} label={t`Copy ${code}`} />
        </span>
      ),
    },
    {
      key: "bonus",
      name: t`Bonus`,
      right: true,
      renderCell: ({ percentage }) => `${percentage} %`,
    },
    {
      key: "state",
      name: t`Valid`,
      renderCell: ({ is_over: isOver, ends_at: endsAt }) => (
        <>
          <Status tone={isOver ? "idle" : "protected"}>
            {isOver ? <Trans>Over</Trans> : <Trans>In use</Trans>}
          </Status>
          <span className={parts["sub"]}>
            {endsAt === null ? (
              <Trans>without end</Trans>
            ) : (
              <Trans>
                until <Day at={endsAt} />
              </Trans>
            )}
          </span>
        </>
      ),
    },
    {
      key: "uses",
      name: t`Uses`,
      right: true,
      renderCell: ({ claims, total_max: max, per_user_max: each }) => (
        <>
          {wholeNumber(locale, claims)}
          {max === null ? null : ` / ${wholeNumber(locale, max)}`}
          {each === null ? null : (
            <span className={parts["sub"]}>
              <Trans>{each} per customer</Trans>
            </span>
          )}
        </>
      ),
    },
    {
      key: "given",
      name: t`Bonus given`,
      right: true,
      renderCell: ({ bonus_cents: cents }) => euros(locale, cents),
    },
    {
      key: "last",
      name: t`Last use`,
      right: true,
      renderCell: ({ last_claimed_at: at }) => (at === null ? "–" : <RelativeTime at={at} />),
    },
    {
      key: "actions",
      name: t`Actions`,
      right: true,
      bare: true,
      renderCell: (row) =>
        row.is_over || !may(endPromoCode) ? null : (
          <span className={parts["buttons"]}>
            <Button
              size="xs"
              variant="default"
              aria-label={t`End ${row.code}`}
              onClick={() => onEnd(row)}
            >
              <Trans>End</Trans>
            </Button>
          </span>
        ),
    },
  ];
}

const empty = { code: "", percentage: "10", ends_at: "", per_user_max: "1", total_max: "" };

function AddDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  return (
    <StaffFormDialog
      title={t`Add promo code`}
      action={t`Add promo code`}
      schema={addPromoCode.body}
      initial={empty}
      toBody={({ code, percentage, ends_at, per_user_max, total_max, reason }) => ({
        code,
        percentage: Number(percentage),
        // Valid to the end of the day, in UTC.
        ends_at: ends_at === "" ? null : `${ends_at}T23:59:59.999Z`,
        per_user_max: wholeOrNull(per_user_max),
        total_max: wholeOrNull(total_max),
        reason,
      })}
      run={async (body) => (await call(addPromoCode, { body })).data.message}
      onClose={onClose}
    >
      {(field) => (
        <>
          <TextInput
            label={t`Code`}
            description={t`Customers may type it in lower case, too.`}
            maxLength={32}
            autoComplete="off"
            {...field("code")}
          />
          <div className={parts["two"]}>
            <TextInput label={t`Bonus in per cent`} inputMode="numeric" {...field("percentage")} />
            <TextInput
              type="date"
              label={t`Last day`}
              description={t`Empty: without end`}
              {...field("ends_at")}
            />
            <TextInput
              label={t`Uses per customer`}
              description={t`Empty: no limit`}
              inputMode="numeric"
              {...field("per_user_max")}
            />
            <TextInput
              label={t`Uses in all`}
              description={t`Empty: no limit`}
              inputMode="numeric"
              {...field("total_max")}
            />
          </div>
        </>
      )}
    </StaffFormDialog>
  );
}

function EndDialog({ code, onClose }: { code: StaffPromoCode; onClose: () => void }) {
  const { t } = useLingui();
  const name = code.code;
  return (
    <StaffFormDialog
      title={t`End ${name}`}
      action={t`End it now`}
      danger
      schema={endPromoCode.body}
      initial={{}}
      toBody={({ reason }) => ({ reason })}
      run={async (body) =>
        (await call(endPromoCode, { params: { promo: name }, body })).data.message
      }
      onClose={onClose}
    >
      {() => (
        <p>
          <Trans>
            It cannot be used any more. Checkouts that were started with it keep their bonus. A code
            that has ended cannot be added again.
          </Trans>
        </p>
      )}
    </StaffFormDialog>
  );
}
