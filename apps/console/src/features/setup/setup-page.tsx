import { Trans, useLingui } from "@lingui/react/macro";
import { useDocumentTitle } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useCurrentUser } from "#src/api/current-user.ts";
import { paths } from "#src/lib/paths.ts";
import { PageHead } from "#src/ui/page-head.tsx";
import { StepBar } from "#src/ui/step-bar.tsx";
import { BackendStep } from "./backend-step.tsx";
import { ConfirmStep } from "./confirm-step.tsx";
import { DomainStep } from "./domain-step.tsx";
import { openDraft } from "./draft.ts";
import { LocationStep } from "./location-step.tsx";
import { NameStep } from "./name-step.tsx";
import { PlanStep } from "./plan-step.tsx";
import { RecordsStep } from "./records-step.tsx";
import { clearFieldErrors } from "./field-errors.ts";
import { SetupAside } from "./setup-aside.tsx";
import classes from "./setup.module.css";
import { stepNames, type StepName } from "./steps.ts";
import { useCreateShield, type CreateShield } from "./use-create-shield.ts";
import { useWizard } from "./use-wizard.ts";

export function SetupPage() {
  const user = useCurrentUser();
  // Runs before the first render: the dashboard's guard has loaded the user.
  useState(() => {
    openDraft(user?.id ?? "");
    clearFieldErrors();
  });
  return <Wizard />;
}

function Wizard() {
  const { t } = useLingui();
  const titles = useStepTitles();
  const create = useCreateShield();
  const wizard = useWizard({ isFrozen: create.isDone });
  const { step, part } = wizard;
  const name = stepNames[step - 1] ?? "plan";
  useDocumentTitle(`${titles[name]} · ${t`Add server`} · Palisade`);
  useFocusOnMove(`${step} ${part ?? ""}`);

  return (
    <>
      <PageHead title={<Trans>Add server</Trans>} />
      <StepBar
        label={t`Steps`}
        steps={stepNames.map((other, index) => ({
          title: titles[other],
          state: index + 1 === step ? "current" : index + 1 < step ? "done" : "ahead",
        }))}
        renderStep={(number, content) =>
          number === step || number > wizard.lastOpen || create.isDone ? (
            <span>{content}</span>
          ) : (
            <Link to={paths.setup} search={{ step: number }}>
              {content}
            </Link>
          )
        }
      />
      <div className={classes["layout"]}>
        <Step key={`${step} ${part ?? ""}`} name={name} wizard={wizard} create={create} />
        <SetupAside plan={wizard.plan} location={wizard.location} />
      </div>
    </>
  );
}

interface StepProps {
  readonly name: StepName;
  readonly wizard: ReturnType<typeof useWizard>;
  readonly create: CreateShield;
}

function Step({ name, wizard, create }: StepProps) {
  const { plans, plan, locations, location, cname, part } = wizard;
  switch (name) {
    case "plan":
      return <PlanStep query={plans} plan={plan} />;
    case "name":
      return <NameStep />;
    case "backend":
      return <BackendStep />;
    case "location":
      return <LocationStep query={locations} planName={plan?.name} />;
    case "domain":
      return part === "records" ? <RecordsStep cname={cname} /> : <DomainStep />;
    case "confirm":
      return (
        <ConfirmStep
          plan={plan}
          location={location}
          isLocationPending={locations.isPending}
          create={create}
        />
      );
    default:
      return name satisfies never;
  }
}

/** Focuses a new step's first invalid field, or else its heading. */
function useFocusOnMove(position: string): void {
  const shown = useRef(position);
  useEffect(() => {
    if (shown.current === position) return;
    shown.current = position;
    globalThis.scrollTo(0, 0);
    const target =
      document.querySelector<HTMLElement>("#content [aria-invalid=true]") ??
      document.querySelector<HTMLElement>("#step-title");
    target?.focus({ preventScroll: true });
  }, [position]);
}

function useStepTitles(): Record<StepName, string> {
  const { t } = useLingui();
  return {
    plan: t`Choose plan`,
    name: t`Enter server name`,
    backend: t`Add server IP`,
    location: t`Choose protection location`,
    domain: t`Domain settings`,
    confirm: t`Confirmation`,
  };
}
