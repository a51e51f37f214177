/** The dates that a real site was sent, and what it said about each. Recorded in test/contract/recordings/second-lab/extra-focused.json. */

export const acceptedDates: readonly string[] = `
  2015 2015-10 2015-10-15 0215 -2015 -0001 -215 0000 2015- 2015-00 2015-04-31 2015-02-30 2000-02-29 1900-02-29
  2015-12-31 2015-21 2015-22 2015-23 2015-24 2015-25 2015-30 2015-33 2015-41 2015? 2015~ 2015% 2015?~ 2015~?
  ?2015 ~2015 %2015 2015-10? 2015-10~ 2015-?10 2015-~10-15 2015-10-?15 ?2015-10 2015?-10 2015?-10-15
  2015-10?-15 2015~-10 2015%-10-15 2015-10-15? 2015-10-15~ 2015-10-15% 201X 20XX 2XXX XXXX X015 2015-XX
  2015-1X 2015-XX-XX 2015-10-XX 2015-XX-15 2015-10-1X 201X-10 20XX-XX -20XX 1XXX-XX 1XXX-12 2015-10-X5
  2015/2016 2015-10/2016-05 2015-10-15/2016-05-01 2016/2015 2015/ /2015 2015/.. ../2015 ../.. / 2015//2016
  2015/2016/2017 2015~/2016? 201X/2016 2015/201X 2015-21/2015-22 2015-10-15T10:00:00 2015-10-15T10:00:00Z
  2015-10-15T10:00:00+02:00 2015-10-15T24:00:00Z 2015-10-15T25:00:00Z 2015-10-15T10:60:00Z
  2015-10-15T10:00:60Z 2015-10-15T10:00:00+14:00 2015-10-15T10:00:00+15:00 [2015,2016] [2015] {2015}
  {2015,2016} [2015..2016] [..2015] [2015..] {..2015} {2015..} [2015,2016..2018] [2015-10,2016-05] 2016
  {2015-10-15,2016} [201X,2016] Y2015 Y20155 Y-20155 Y170000002 Y-170000002 Y1 Y2E5 Y-17E7 Y17E8 Y171010000S3
  Y2E5S2 1950S2 1950S0 1950S5 Y171010000 Y20155-01 1984-06-02?/2004-08-08~ 9999 9999-12-31
`
  .trim()
  .split(/\s+/);

/** By what is wrong with them. `{value}` stands for the date. */
export const refusedDates: readonly (readonly [faults: readonly string[], dates: readonly string[]])[] = [
  [['Years must be at least 4 characters long.'], ['215', '1', '12', '123', '2E5', '2015/10', '00', '000']],
  [["Years longer than 4 digits must be prefixed with a 'Y'."], ['12345', '20151015', '201510', '10000']],
  [
    ["Could not parse the date '{value}'."],
    [
      '+2015',
      '2015-1',
      '2015-1-1',
      '2015-01-1',
      '2015-10-15?~',
      '201x',
      '201u',
      '20uu',
      '..',
      'open',
      '2015-10-15t10:00:00z',
      '2016]',
      '2015,',
      '}',
      '2015]',
      'y20155',
      '1950S',
      '2001-21^southernHemisphere',
      '2015-10-15-01',
      '10-15-2015',
      '2015.10.15',
      '2015_10',
      '2015–2016',
      'circa2015',
      'c.2015',
      'ca2015',
      '1990s',
      '20thC',
      'January',
      'May2015',
      'today',
      'now',
      'nodate',
      'null',
      'undefined',
      'n.d.',
      '２０１５',
      '२०१५',
      '2015 ',
      ' 2015',
      '2015\n',
      '2015 BC',
      'May 2015',
      '2015 - 2016',
      'c. 2015',
      '\t2015',
      '2015-10-15 10:00:00',
      'xxxxxxxxxxxxxxxxxxxx',
    ],
  ],
  [["Provided day value '00' is not valid."], ['2015-01-00']],
  [["Provided day value '32' is not valid."], ['2015-01-32']],
  [["Provided month value '13' is not valid."], ['2015-13', '2015-13-01']],
  [["Provided month value '42' is not valid."], ['2015-42']],
  [["Provided month value '20' is not valid."], ['2015-20']],
  [["Provided month value '43' is not valid."], ['2015-43']],
  [["Provided month value '99' is not valid."], ['2015-99']],
  [["Provided month value 'X1' is not valid."], ['2015-X1']],
  [["Could not parse the date 'unknown'."], ['2015/unknown', 'unknown/2015']],
  [["Could not parse the date 'open'."], ['2015/open']],
  [['Date intervals cannot include times.'], ['2015-10-15T10:00:00Z/2016']],
  [
    ["The date/time '{value}' is invalid."],
    [
      '2015-10-15T10:00:00-05',
      '2015-10-15T10:00',
      '2015-10-15T10',
      '2015-10-15T10:00:00.5Z',
      '2015-10T10:00:00Z',
      '2015-10-15T10:00:00+2',
    ],
  ],
  [
    ['The set is improperly encoded.'],
    [
      '[2015,',
      '{',
      '[]',
      '{}',
      '[2015',
      '[2015?,2016]',
      '{bad,2015}',
      '[2015,bad]',
      '[[2015],2016]',
      '[2015 , 2016]',
      '{2015 ..2016}',
    ],
  ],
  [
    ['Years must be at least 4 characters long.', 'Years must be at least 4 characters long.'],
    ['2015/10/15', '15/10/2015'],
  ],
  [['Cannot parse empty value.'], ['0']],
  [["Could not parse the date '2015-10-15 '."], ['2015-10-15 T10:00:00Z']],
];
