import brand from './brand.json' with { type: 'json' };

/** The product's name until an admin saves another name. Change it in brand.json. */
export const defaultBrand = brand.name;
