import { useLingui } from "@lingui/react/macro";
import { refreshIntervals, type LogSettings } from "@palisade/contract/http/logs";
import { useMutation, useQuery } from "@tanstack/react-query";
import { errorText } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { toast } from "#src/ui/toasts.tsx";
import filter from "#src/ui/filter-select.module.css";
import { IconChevronDown } from "@tabler/icons-react";
import { logSettingsQuery, saveInterval } from "./logs.queries.ts";

/** How often the list is read again; every member has their own. */
export function IntervalSelect({ shieldId }: { readonly shieldId: string }) {
  const { t } = useLingui();
  const query = logSettingsQuery(shieldId);
  const { data } = useQuery(query);
  const save = useMutation({
    mutationFn: (seconds: (typeof refreshIntervals)[number]) => saveInterval(shieldId, seconds),
    onMutate: (seconds) => {
      const before = queryClient.getQueryData<LogSettings>(query.queryKey);
      queryClient.setQueryData<LogSettings>(query.queryKey, (old) =>
        old ? { ...old, logs_refresh_interval: seconds } : old,
      );
      return before;
    },
    onSuccess: ({ message, logs }) => {
      queryClient.setQueryData(query.queryKey, logs);
      toast("success", message);
    },
    onError: (error, _seconds, before) => {
      queryClient.setQueryData(query.queryKey, before);
      toast("error", errorText(error, t`Failed to update interval`));
    },
  });
  const names = Object.entries(data?.available_intervals ?? {});
  return (
    <span className={filter["filter"]}>
      <select
        aria-label={t`Choose time`}
        title={t`How often the list is read again`}
        disabled={data === undefined}
        value={data?.logs_refresh_interval ?? ""}
        onChange={({ currentTarget }) => {
          const seconds = refreshIntervals.find((each) => String(each) === currentTarget.value);
          if (seconds !== undefined) save.mutate(seconds);
        }}
      >
        {data === undefined ? <option value="">{t`Choose time`}</option> : null}
        {names.map(([seconds, name]) => (
          <option key={seconds} value={seconds}>
            {name}
          </option>
        ))}
      </select>
      <IconChevronDown size={14} stroke={1.8} aria-hidden="true" />
    </span>
  );
}
