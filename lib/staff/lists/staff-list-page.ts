import { type ComponentType, createElement, type ReactNode } from "react";
import type { z } from "zod";
import type { StaffAccess } from "@/lib/platform/api/declaration";
import { listFields } from "@/lib/platform/console/filter-spec";
import type { ListPage } from "@/lib/platform/console/list";
import { type ConsoleMessageKey, consoleText } from "@/lib/platform/i18n/console-messages";
import {
  type ConsolePage,
  type ConsoleProps,
  consoleMetadata,
  consolePage,
} from "@/lib/platform/pages/console";
import { readConsoleList } from "@/lib/platform/pages/console-list";
import type { StaffListData } from "@/lib/staff/lists/contract";
import type { ConsoleListName } from "@/lib/staff/rules";
import { listViews } from "@/lib/staff/views/list-views";

type Declaration<Input extends z.ZodObject, List extends ListPage<unknown>, More extends object> = {
  path: string;
  title: ConsoleMessageKey;
  access: StaffAccess;
  /** Where the list's filters can be saved as views. */
  name?: ConsoleListName;
  input: Input;
  read: (input: z.output<Input>, page: ConsolePage) => Promise<List>;
  /** What the screen needs besides the list. */
  more?: (page: ConsolePage) => Promise<More>;
  screen: ComponentType<StaffListData<List> & More>;
  notFound: ComponentType;
};

/** The page of a list of staff: its guard, the rows with the filters of its address, and the viewer's saved views. */
export function staffListPage<
  Input extends z.ZodObject,
  List extends ListPage<unknown>,
  More extends object = object,
>(declaration: Declaration<Input, List, More>) {
  const { path, title, access, name, input, read, more, screen, notFound } = declaration;
  const fields = listFields(input);
  return {
    metadata: (props: ConsoleProps) => consoleMetadata(props, access, (locale) => consoleText(locale, title)),
    page: async (props: ConsoleProps): Promise<ReactNode> => {
      const page = await consolePage(props, access, path);
      if (!page) return createElement(notFound);
      const views = name ? (await listViews(page.viewer, name)).items : [];
      const standard = views.find((view) => view.is_default)?.filters;
      const { values, list } = await readConsoleList(
        props,
        page,
        path,
        input,
        (one) => read(one, page),
        standard,
      );
      const { roles } = page.viewer.staff;
      const data: StaffListData<List> = { path, list, values, fields, roles, name: name ?? null, views };
      return createElement(screen, { ...data, ...(await more?.(page)) } as StaffListData<List> & More);
    },
  };
}
