import { Button, Menu } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  editPlan,
  giveSupportPlan,
  type StaffPlan,
  type StaffSupportPlan,
} from "@palisade/contract/http/staff-plans";
import { euros, wholeNumber } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Status } from "#src/ui/status.tsx";
import parts from "../parts/parts.module.css";
import type { StaffColumn } from "../parts/staff-rows.tsx";
import { useMay } from "../parts/use-may.ts";

export type PlanAction = "edit" | "price" | "offer" | "give";

/** The columns of both lists. The free plan has neither a price to change nor an end. */
export function usePlanColumns<Plan extends StaffPlan | StaffSupportPlan>(
  kind: "plan" | "support",
  onAct: (action: PlanAction, plan: Plan) => void,
): readonly StaffColumn<Plan>[] {
  const { t } = useLingui();
  const { locale } = useLocale();
  const may = useMay();
  return [
    {
      key: "plan",
      name: t`Plan`,
      bare: true,
      renderCell: ({ slug, en, ru }) => (
        <>
          <span className={parts["main"]}>
            {en.name}
            {ru === null ? null : ` · ${ru.name}`}
          </span>
          <span className={`${parts["sub"]} mono`}>{slug}</span>
        </>
      ),
    },
    {
      key: "state",
      name: t`State`,
      renderCell: ({ is_retired: isRetired }) => (
        <Status tone={isRetired ? "idle" : "protected"}>
          {isRetired ? <Trans>Retired</Trans> : <Trans>On offer</Trans>}
        </Status>
      ),
    },
    {
      key: "price",
      name: t`Price a month`,
      right: true,
      renderCell: ({ price_cents: cents }) => euros(locale, cents),
    },
    {
      key: "holders",
      name: kind === "plan" ? t`Shields` : t`Accounts`,
      right: true,
      renderCell: ({ holders, other_terms: others }) => {
        const otherTerms = wholeNumber(locale, others);
        return (
          <>
            {wholeNumber(locale, holders)}
            {others === 0 ? null : (
              <span className={parts["sub"]}>
                <Trans>{otherTerms} at another price</Trans>
              </span>
            )}
          </>
        );
      },
    },
    {
      key: "actions",
      name: t`Actions`,
      right: true,
      bare: true,
      renderCell: (plan) =>
        may(editPlan) ? (
          <span className={parts["buttons"]}>
            <Button
              size="xs"
              variant="default"
              aria-label={t`Edit ${plan.en.name}`}
              onClick={() => onAct("edit", plan)}
            >
              <Trans>Edit</Trans>
            </Button>
            <More kind={kind} plan={plan} onAct={onAct} />
          </span>
        ) : null,
    },
  ];
}

interface MoreProps<Plan> {
  readonly kind: "plan" | "support";
  readonly plan: Plan;
  readonly onAct: (action: PlanAction, plan: Plan) => void;
}

function More<Plan extends StaffPlan | StaffSupportPlan>({ kind, plan, onAct }: MoreProps<Plan>) {
  const { t } = useLingui();
  const may = useMay();
  const isPaid = plan.price_cents > 0;
  const canGive = kind === "support" && may(giveSupportPlan);
  if (!isPaid && !canGive) return null;
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button size="xs" variant="default" aria-label={t`More about ${plan.en.name}`}>
          <Trans>More</Trans>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {isPaid ? (
          <>
            <Menu.Item onClick={() => onAct("price", plan)}>
              <Trans>Change price</Trans>
            </Menu.Item>
            <Menu.Item onClick={() => onAct("offer", plan)}>
              {plan.is_retired ? <Trans>Offer again</Trans> : <Trans>Retire</Trans>}
            </Menu.Item>
          </>
        ) : null}
        {canGive ? (
          <Menu.Item onClick={() => onAct("give", plan)}>
            <Trans>Give to an account</Trans>
          </Menu.Item>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}
