/** English names of the site’s pages. */

export const site = {
  'site.pages': 'Pages',
  'site.explorer': 'Explorer',
  'site.lab': 'Your numbers',
  'site.demos': 'Demos',
  'site.calculator': 'Calculator',
} as const;
