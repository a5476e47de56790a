/** English names of the site’s pages. */

export const site = {
  'site.pages': 'Pages',
  'site.explorer': 'Explorer',
  'site.demos': 'Demos',
  'site.calculator': 'Calculator',
} as const;
