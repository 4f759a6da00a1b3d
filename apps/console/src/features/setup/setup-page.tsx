import { Trans, useLingui } from "@lingui/react/macro";
import { useDocumentTitle } from "@mantine/hooks";
import { createServerBody } from "@palisade/contract/http/servers";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useContractForm } from "#src/lib/form.ts";
import { PageHead } from "#src/ui/page-head.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { BackendFields } from "./backend-fields.tsx";
import { DomainFields } from "./domain-fields.tsx";
import { setupDraft } from "./draft.ts";
import { LocationPicker } from "./location-picker.tsx";
import { PlanPicker } from "./plan-picker.tsx";
import { cnameQuery, locationsQuery, plansQuery } from "./setup.queries.ts";
import classes from "./setup.module.css";
import { SetupSummary } from "./setup-summary.tsx";
import { useCreateServer } from "./use-create-server.ts";

const typedFields = createServerBody.omit({ cname_record: true });

export function SetupPage() {
  const { t } = useLingui();
  const contract = useContractForm(typedFields, setupDraft.read());
  const { form } = contract;
  const values = form.values;
  const plans = useQuery(plansQuery);
  const locations = useQuery(locationsQuery(values.pricing_plan_id));
  const cname = useQuery(cnameQuery);
  const create = useCreateServer(contract.placeIssues);
  const plan = plans.data?.find(({ id }) => id === values.pricing_plan_id);
  useDocumentTitle(`${t`Add server`} · Palisade`);

  // The first plan the balance covers is a fair start, and a place without alternative is no choice.
  const firstPlan = plans.data?.find(({ is_available }) => is_available)?.id;
  const places = locations.data?.filter(({ is_available }) => is_available) ?? [];
  const onlyPlace = places.length === 1 ? places[0]?.name : undefined;
  useEffect(() => {
    if (firstPlan !== undefined && values.pricing_plan_id === "") {
      form.setFieldValue("pricing_plan_id", firstPlan);
    }
    if (onlyPlace !== undefined && values.location === "") {
      form.setFieldValue("location", onlyPlace);
    }
  }, [firstPlan, onlyPlace, values.pricing_plan_id, values.location, form]);

  useEffect(() => {
    if (!create.isSuccess) setupDraft.store(values);
  }, [values, create.isSuccess]);

  return (
    <form
      noValidate
      onSubmit={contract.submit((typed) => {
        if (cname.data === undefined) {
          toast("error", t`CNAME is not generated yet. Please wait.`);
        } else if (plan && !plan.is_available) {
          toast("error", t`Insufficient funds`);
        } else {
          create.mutate({ ...typed, real_port: Number(typed.real_port), cname_record: cname.data });
        }
      })}
    >
      <PageHead title={<Trans>Add server</Trans>} />
      <div className={classes["layout"]}>
        <div className={classes["steps"]}>
          <BackendFields contract={contract} />
          <PlanPicker
            query={plans}
            value={values.pricing_plan_id}
            error={contract.field("pricing_plan_id").error}
            onChoose={(id) => form.setFieldValue("pricing_plan_id", id)}
          />
          <LocationPicker
            query={locations}
            value={values.location}
            error={contract.field("location").error}
            onChoose={(name) => form.setFieldValue("location", name)}
          />
          <DomainFields contract={contract} cname={cname} />
        </div>
        <SetupSummary
          values={values}
          plan={plan}
          location={locations.data?.find(({ name }) => name === values.location)}
          busy={create.isPending || create.isSuccess}
        />
      </div>
    </form>
  );
}
