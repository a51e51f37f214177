/** Places. Records show more of them than they keep, all computed from the two numbers. */
import { markup } from '../../markup/page-markup.ts';
import { type FieldType, shapes } from '../field-type.ts';
import { float, object } from '../rules.ts';
import { hasMembers, isMissingOrEmptyText, numberIfNumeric, scalarText } from '../values.ts';
import { becomesNumber } from './numbers.ts';
import { textOf } from '../../../openapi/openapi-records.ts';

/** The module of JSON-LD writes only what an item keeps under `value`, and this keeps nothing there. */
export const geolocation: FieldType = {
  name: 'geolocation',
  main: 'lat',
  properties: ['lat', 'lng', 'data'],
  ignored: ['value', 'lat_sin', 'lat_cos', 'lng_rad'],
  isEmpty: ({ lat, lng }) => isMissingOrEmptyText(lat) || isMissingOrEmptyText(lng),
  store: ({ lat, lng, data }) => ({
    lat: numberIfNumeric(lat),
    lng: numberIfNumeric(lng),
    ...(hasMembers(data) ? { data: data ?? null } : {}),
  }),
  rules: { lat: [float], lng: [float], data: [object] },
  reasonOfChange: becomesNumber,
  // What the real site computes to find what is near, it does not show.
  json: ({ lat, lng, data }) => {
    // Sites bring places of terms along, with numbers as text.
    const [latitude, longitude] = [numberIfNumeric(lat), numberIfNumeric(lng)];
    return {
      ...{ lat: latitude, lng: longitude, data: data ?? [] },
      value: `${scalarText(latitude)}, ${scalarText(longitude)}`,
    };
  },
  page: ({ lat, lng }) => markup`${textOf(lat ?? '')}, ${textOf(lng ?? '')}`,
  sample: (_field, draw) => ({ lat: (draw.below(18_000) - 9000) / 100, lng: (draw.below(36_000) - 18_000) / 100 }),
  form: () => [
    { property: 'lat', label: 'Latitude', as: 'number', hint: 'Degrees, such as 47.37.' },
    { property: 'lng', label: 'Longitude', as: 'number', hint: 'Degrees, such as 8.54.' },
  ],
  trials: () => ({ taken: [{ lat: 44.5, lng: -63.25 }], refused: [{ lat: 'north', lng: 2 }] }),
  schema: shapes('GeolocationItem', 'GeolocationInput'),
  module: 'geolocation',
  widget: 'geolocation_latlng',
};
