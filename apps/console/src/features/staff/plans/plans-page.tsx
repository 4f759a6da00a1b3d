import { useDocumentTitle } from "@mantine/hooks";
import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  createPlan,
  createSupportPlan,
  type StaffPlan,
  type StaffSupportPlan,
} from "@palisade/contract/http/staff-plans";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { PageHead } from "#src/ui/page-head.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import parts from "../parts/parts.module.css";
import { StaffRows } from "../parts/staff-rows.tsx";
import { useMay } from "../parts/use-may.ts";
import { PlanForm } from "./plan-form.tsx";
import { GiveDialog, OfferDialog, PriceDialog } from "./plan-dialogs.tsx";
import { catalogueQuery } from "./plans.queries.ts";
import { SupportPlanForm } from "./support-plan-form.tsx";
import { usePlanColumns, type PlanAction } from "./use-plan-columns.tsx";

type Opened =
  | { readonly kind: "plan"; readonly action: PlanAction | "add"; readonly plan: StaffPlan | null }
  | {
      readonly kind: "support";
      readonly action: PlanAction | "add";
      readonly plan: StaffSupportPlan | null;
    };

/** What is sold: plans of shields, and support plans. */
export function PlansPage() {
  const { t } = useLingui();
  useDocumentTitle(`${t`Plans`} · Palisade`);
  const query = useQuery(catalogueQuery);
  const [opened, setOpened] = useState<Opened | null>(null);
  const may = useMay();
  const planColumns = usePlanColumns<StaffPlan>("plan", (action, plan) =>
    setOpened({ kind: "plan", action, plan }),
  );
  const supportColumns = usePlanColumns<StaffSupportPlan>("support", (action, plan) =>
    setOpened({ kind: "support", action, plan }),
  );
  return (
    <div className={parts["page"]}>
      <PageHead title={<Trans>Plans</Trans>} />
      <QueryBoundary query={query} errorTitle={t`The plans could not be loaded`}>
        {({ plans, support_plans: supportPlans, locations }) => (
          <>
            <Panel
              title={<Trans>Plans of shields</Trans>}
              prominent
              note={
                <Trans>
                  A price without VAT holds for new purchases; present ones keep theirs.
                </Trans>
              }
              aside={
                may(createPlan) ? (
                  <AddButton
                    label={t`Add plan`}
                    onClick={() => setOpened({ kind: "plan", action: "add", plan: null })}
                  />
                ) : undefined
              }
            >
              <StaffRows
                label={t`Plans of shields`}
                columns={planColumns}
                rows={plans}
                keyOf={({ slug }) => slug}
              />
            </Panel>
            <Panel
              title={<Trans>Support plans</Trans>}
              prominent
              note={<Trans>An account holds one for all of its shields.</Trans>}
              aside={
                may(createSupportPlan) ? (
                  <AddButton
                    label={t`Add support plan`}
                    onClick={() => setOpened({ kind: "support", action: "add", plan: null })}
                  />
                ) : undefined
              }
            >
              <StaffRows
                label={t`Support plans`}
                columns={supportColumns}
                rows={supportPlans}
                keyOf={({ slug }) => slug}
              />
            </Panel>
            <OpenedDialog opened={opened} locations={locations} onClose={() => setOpened(null)} />
          </>
        )}
      </QueryBoundary>
    </div>
  );
}

function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button leftSection={<IconPlus size={16} stroke={1.8} />} onClick={onClick}>
      {label}
    </Button>
  );
}

interface OpenedDialogProps {
  readonly opened: Opened | null;
  readonly locations: readonly string[];
  readonly onClose: () => void;
}

function OpenedDialog({ opened, locations, onClose }: OpenedDialogProps) {
  if (opened === null) return null;
  const { kind, action, plan } = opened;
  if (action === "add" || action === "edit") {
    return kind === "plan" ? (
      <PlanForm plan={opened.plan} locations={locations} onClose={onClose} />
    ) : (
      <SupportPlanForm plan={opened.plan} onClose={onClose} />
    );
  }
  if (plan === null) return null;
  if (action === "price") return <PriceDialog kind={kind} plan={plan} onClose={onClose} />;
  if (action === "offer") return <OfferDialog kind={kind} plan={plan} onClose={onClose} />;
  return <GiveDialog plan={plan} onClose={onClose} />;
}
