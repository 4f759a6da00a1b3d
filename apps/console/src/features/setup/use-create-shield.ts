import { useLingui } from "@lingui/react/macro";
import { serverRoutes, type CreateServerBody } from "@palisade/contract/http/servers";
import { renderText } from "@palisade/contract/texts/render";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useRef } from "react";
import { refreshBalance } from "#src/api/balance.ts";
import { call } from "#src/api/client.ts";
import { domainQueries } from "#src/api/domain-checks.ts";
import { errorText, fieldIssues, hasCode, isTransient } from "#src/api/errors.ts";
import { plansQuery } from "#src/api/plans.ts";
import { queryClient } from "#src/api/query-client.ts";
import { paths } from "#src/lib/paths.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { toast } from "#src/ui/toasts.tsx";
import { changeDraft, clearStoredDraft, useDraft } from "./draft.ts";
import { setFieldErrors } from "./field-errors.ts";
import { cnameQuery } from "./setup.queries.ts";
import { stepOfField, toSubmission } from "./steps.ts";
import { useGoTo } from "./use-step.ts";

const redirectDelayMs = 1000;
/** The largest page: the newest shields are on the first page. */
const newestMax = 100;
/** The second of two equal submits waits while the server works on the first. */
const waitForFirst = { triesMax: 20, pauseMs: 1000 };

export type CreateShield = ReturnType<typeof useCreateShield>;

/** Buys the shield once per submit, however often it is clicked, retried or reloaded. */
export function useCreateShield() {
  const { t } = useLingui();
  const { locale } = useLocale();
  const router = useRouter();
  const goTo = useGoTo();
  // A second click in the same frame arrives before React renders the first.
  const isSending = useRef(false);

  /** Users who have left the wizard get a toast but no redirect. */
  const isStillHere = () => router.state.location.pathname === paths.setup;

  function done(message: string) {
    clearStoredDraft();
    queryClient.removeQueries({ queryKey: cnameQuery.queryKey });
    void refreshBalance();
    toast("success", message);
    setTimeout(() => {
      if (isStillHere()) void router.navigate({ to: paths.dashboard });
    }, redirectDelayMs);
  }

  /** Goes to the first step with a refused field; false if there is none. */
  function leadToField(issues: Record<string, string>): boolean {
    const steps = Object.keys(issues).flatMap((path) => stepOfField(path) ?? []);
    if (steps.length === 0) return false;
    setFieldErrors(issues);
    toast("error", t`Please fix validation errors first`);
    if (isStillHere()) goTo(Math.min(...steps));
    return true;
  }

  const mutation = useMutation({
    // Offline it fails at once, instead of buying later.
    networkMode: "always",
    retry: (failureCount, error) =>
      failureCount < waitForFirst.triesMax && hasCode(error, "idempotency_in_progress"),
    retryDelay: waitForFirst.pauseMs,
    mutationFn: async (body: CreateServerBody) => {
      if (isOtherThanUnanswered(body) && (await isBought(body.cname_record))) {
        return renderText(locale, "ok.server_created");
      }
      const headers = { "idempotency-key": beginSubmit(body) };
      return (await call(serverRoutes.createServer, { body, headers })).data.message;
    },
    onSuccess: done,
    onError: async (error) => {
      const isOpen = isTransient(error) || hasCode(error, "idempotency_in_progress");
      if (!isOpen) changeDraft({ submit: null });
      const issues = fieldIssues(error);
      if ("cname_record" in issues) {
        // The reservation is gone: a new one is made, all other entries stay.
        changeDraft({ cname_record: null });
        queryClient.removeQueries({ queryKey: cnameQuery.queryKey });
      }
      if ("domain" in issues) {
        // The earlier availability check is no longer valid.
        changeDraft({ free_domain: null });
        queryClient.removeQueries({ queryKey: domainQueries });
      }
      // At once, so that a user who has moved on is not sent back later.
      const isLed = leadToField(issues);
      await queryClient.invalidateQueries({ queryKey: plansQuery.queryKey });
      if (!isLed) toast("error", errorText(error, t`Error creating GameShield`));
    },
    onSettled: () => {
      isSending.current = false;
    },
  });

  function submit() {
    if (isSending.current || mutation.isSuccess) return;
    const submission = toSubmission(useDraft.getState().draft);
    if (submission.ok) {
      isSending.current = true;
      mutation.mutate(submission.body);
    } else {
      const texts = Object.entries(submission.issues);
      leadToField(Object.fromEntries(texts.map(([path, key]) => [path, renderText(locale, key)])));
    }
  }

  const { draft } = useDraft();
  return {
    submit,
    isBusy: mutation.isPending,
    isDone: mutation.isSuccess,
    /** Whether a submit was sent and never answered. */
    isUnanswered: draft.submit !== null && !mutation.isSuccess,
  };
}

/** Whether the caller has a shield with the label, bought by a submit whose answer was lost. */
async function isBought(cname: string): Promise<boolean> {
  const { data } = await call(serverRoutes.listServers, { query: { per_page: newestMax } });
  return data.data.some(({ cname_record: label }) => label === cname);
}

/**
 * The `Idempotency-Key` of a submit, stored before the request is sent. The same body sent again
 * after a lost answer keeps its key, also after a reload, so that the shield is bought once.
 */
function beginSubmit(body: CreateServerBody): string {
  const text = JSON.stringify(body);
  const unanswered = useDraft.getState().draft.submit;
  if (unanswered?.body === text) return unanswered.key;
  const key = crypto.randomUUID();
  changeDraft({ submit: { key, body: text } });
  return key;
}

/**
 * Whether the body differs from a submit whose answer was lost. That submit may have bought the
 * shield already, which must be known before this one is sent.
 */
function isOtherThanUnanswered(body: CreateServerBody): boolean {
  const unanswered = useDraft.getState().draft.submit;
  return unanswered !== null && unanswered.body !== JSON.stringify(body);
}
