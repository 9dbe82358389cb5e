"use client";

import { useNavigate } from "@/components/ui/link";
import { SearchInput } from "./search-input";
import type { SearchLabels } from "./search-labels";

/**
 * A form that leads to the search page, submitted with Enter or the button. Before hydration it is an ordinary form
 * to `action`. Afterwards it navigates on the client and clears itself (docs/product.md#23-header-footer-banners). A second
 * form on a page needs a `name`.
 */
export function SearchForm({
  action,
  labels,
  name,
}: {
  action: string;
  labels: SearchLabels;
  name?: string;
}) {
  const navigate = useNavigate();
  return (
    // biome-ignore lint/a11y/useSemanticElements: older screen readers do not support <search>
    <form
      role="search"
      aria-label={name}
      action={action}
      method="get"
      className="flex min-w-0 flex-1"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const query = String(new FormData(form).get("q") ?? "").trim();
        if (!query) return;
        form.reset();
        navigate(`/search?q=${encodeURIComponent(query)}`);
      }}
    >
      <SearchInput labels={labels} />
    </form>
  );
}
