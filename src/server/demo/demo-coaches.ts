import type { Sport } from '#domain/sports.ts';

/**
 * Title, description, duration in minutes and price in minor units; for a group lesson, the minimum and maximum number
 * of seats; then the minimum and maximum age.
 */
type DemoTemplate = [string, string, number, number, [number, number]?, [number, number]?];

export type DemoCoach = {
  fullName: string;
  email: string;
  sport: Sport;
  town: string;
  coachType: string;
  bio: string;
  venues: { name: string; address: string; postcode: string }[];
  templates: DemoTemplate[];
  /** Whether the coach works in the business of the first coach. */
  isColleague?: boolean;
};

const emailOf = (fullName: string) => `${fullName.toLowerCase().replace(' ', '.')}@demo.test`;

const coach = (
  fullName: string,
  [sport, coachType]: [Sport, string],
  town: string,
  bio: string,
  venues: [name: string, address: string, postcode: string][],
  templates: DemoTemplate[],
): DemoCoach => ({
  fullName,
  email: emailOf(fullName),
  sport,
  town,
  coachType,
  bio,
  venues: venues.map(([name, address, postcode]) => ({ name, address, postcode })),
  templates,
});

/** The business of the first coach. */
export const demoBusiness = {
  businessName: 'Sample Park Coaching',
  businessEmail: 'hello@demo.test',
  businessPhone: '0113 496 0000',
  businessAddress: '12 Sample Park Road\nLeeds LS6 2AA',
};

/**
 * Bank accounts of the coaches below, in the same order; null if a coach has none yet. The sort code is from Pay.UK's
 * test vectors. The account numbers are made up and pass the modulus check for this sort code.
 */
export const demoAccounts: { sortCode: string; accountNumbers: (string | null)[] } = {
  sortCode: '089999',
  accountNumbers: [
    ...['10000003', '17654326', '25308648', '32962967', null, '40617288'],
    ...['48271613', '55925936', null, '63580253', '71234575', '78888898'],
  ],
};

/** The demo club's made-up coaches. The first coach signs in as coach@demo.test. */
export const demoCoaches: DemoCoach[] = [
  {
    ...coach(
      'Tess Trial',
      ['tennis', 'Tennis coach'],
      'Leeds',
      'I coach players who want to enjoy the game for life. Calm, clear, and plenty of balls hit: from a first rally to the club championship, for children from 8 and for people who last held a racket at school.',
      [
        ['Sample Park Courts', '12 Sample Park Road', 'LS6 2AA'],
        ['Trial Lane Tennis Club', '3 Trial Lane', 'LS17 8AB'],
      ],
      [
        ['Tennis for beginners', 'Grip, swing and your first rallies. You can borrow a racket.', 60, 4500],
        [
          'Serve clinic',
          'Toss, rhythm and power. We film a few serves so that you can see the difference.',
          45,
          3800,
        ],
        [
          'Junior tennis group',
          'For children from 8 to 12. Games, footwork and mini matches.',
          60,
          1200,
          [3, 8],
        ],
        ['Doubles evening', 'Positioning, poaching and teamwork, with matches to finish.', 90, 1600, [4, 8]],
        [
          'Match day coaching',
          'I come along to your match, watch, and talk it through with you afterwards.',
          300,
          28000,
        ],
      ],
    ),
    email: 'coach@demo.test',
  },
  coach(
    'Fred Fiction',
    ['football', 'Football coach'],
    'Manchester',
    'Former youth player, now a coach for anyone with boots and curiosity.',
    [
      ['Example Fields', '40 Example Street', 'M14 5AA'],
      ['Demo Dome', '2 Canal Walk', 'M1 2AB'],
    ],
    [
      ['Finishing masterclass', 'Shooting from every angle until it feels easy.', 60, 2500, [2, 6]],
      ['Goalkeeper one to one', 'Handling, footwork and the courage to come off the line.', 60, 3500],
      ['Small-sided games', 'Four-a-side with coaching in between. All levels.', 90, 800, [6, 16]],
      ['First touch session', 'Control the ball with both feet and look up sooner.', 45, 2800],
    ],
  ),
  coach(
    'Wendy Whatif',
    ['swimming', 'Swimming teacher'],
    'Brighton',
    'I teach adults who never learned, and swimmers who want to go further out.',
    [
      ['Placeholder Pool', '8 Sea View', 'BN1 1AA'],
      ['Pretend Beach Hut', 'Lower Promenade', 'BN2 1AB'],
    ],
    [
      ['Water confidence for adults', 'No rush and no splashing. We start in the shallow end.', 30, 2600],
      ['Front crawl technique', 'Breathing, body position and a longer stroke.', 45, 3200],
      ['Open water group', 'In the sea with a float and a safety kayak. Wetsuit needed.', 60, 1800, [3, 8]],
    ],
  ),
  coach(
    'Gus Guesswork',
    ['golf', 'Golf professional'],
    'York',
    'From the first grip to a single-figure handicap. Video analysis in every lesson.',
    [['Imaginary Links', 'Fairway Lane', 'YO24 1AA']],
    [
      ['Short game lesson', 'Chips, pitches and getting out of the bunker at last.', 60, 5500],
      ['Driving range hour', 'One club, one swing thought, many balls.', 60, 4800],
      ['Playing lesson, nine holes', 'On the course: strategy, routine and nerve.', 150, 11000],
    ],
  ),
  coach(
    'Yasmin Yarn',
    ['yoga', 'Yoga teacher'],
    'Bristol',
    'Vinyasa with a sense of humour. Beginners are always welcome.',
    [
      ['Mock Meadow Studio', '5 Mock Street', 'BS1 5AA'],
      ['Harbour Hall', '17 Quay Road', 'BS8 1AB'],
    ],
    [
      ['Vinyasa flow', 'Breath and movement without a break. Mats provided.', 60, 1100, [2, 14]],
      ['Restorative yoga', 'Long holds, soft light, no ambition at all.', 75, 1300, [2, 12]],
      ['Private yoga lesson', 'A practice made for your body and your week.', 60, 5000],
      ['Free taster class', 'Come and see whether it is for you. It costs nothing.', 45, 0, [2, 15]],
    ],
  ),
  {
    ...coach(
      'Benny Bogus',
      ['boxing', 'Boxing coach'],
      'Leeds',
      'Technique first, sweat second. Nobody gets hit in the face on day one.',
      [['Notional Gym', '88 Kirk Road', 'LS9 8AA']],
      [
        ['Padwork one to one', 'Combinations, defence and honest feedback.', 45, 3500],
        ['Boxing fitness', 'Skipping, bags and circuits. Gloves to borrow.', 60, 900, [4, 16]],
        ['Sparring for improvers', 'Controlled rounds with a plan for each.', 60, 1500, [2, 6]],
      ],
    ),
    isColleague: true,
  },
  {
    ...coach(
      'Connie Concept',
      ['climbing', 'Climbing instructor'],
      'Manchester',
      'I help people climb walls they thought they never could.',
      [['Hypothetical Heights', '61 Mill Street', 'M4 6AA']],
      [
        ['First time on the wall', 'Knots, belaying and your first top-rope climbs.', 90, 2400, [2, 6]],
        ['Bouldering technique', 'Feet before hands: balance, reading and resting.', 60, 3600],
        ['Lead climbing course', 'Clipping, falling and catching a fall, safely.', 120, 4200, [2, 4]],
      ],
    ),
    isColleague: true,
  },
  coach(
    'Archie Abstract',
    ['athletics', 'Running coach'],
    'York',
    'Run easier, then run faster. Plans for everyone, from couch to marathon.',
    [['Draft Stadium', '1 Track Road', 'YO10 5AA']],
    [
      ['Running form check', 'We film, look and change one thing at a time.', 45, 3000],
      ['Track intervals', 'A structured session in groups by pace.', 60, 700, [4, 20]],
      ['Sprint starts', 'Blocks, angles and the first ten metres.', 60, 2800],
    ],
  ),
  coach(
    'Bella Blueprint',
    ['badminton', 'Badminton coach'],
    'Bristol',
    'Deception, footwork and a lot of laughing.',
    [['Blueprint Sports Hall', '30 Hall Lane', 'BS3 4AA']],
    [
      ['Smash and drop', 'The same swing, two very different shots.', 60, 3000],
      ['Club doubles with coaching', 'Doubles on three courts, a tip after every game.', 120, 1000, [4, 12]],
      ['Family badminton', 'Parents and children on one court. Rackets provided.', 60, 900, [2, 8]],
    ],
  ),
  coach(
    'Robin Replica',
    ['rowing', 'Rowing coach'],
    'London',
    'Sculling on the river, or on the machine when the river says no.',
    [['Replica Boathouse', 'Towpath', 'SW15 1AA']],
    [
      ['Learn to scull', 'Two lessons and you will be moving in a straight line.', 90, 6500],
      ['Crew session', 'Timing, catch and a lot of counting.', 90, 2200, [4, 8]],
      ['Ergometer technique', 'The machine tells no lies. Nor do I.', 45, 3300],
    ],
  ),
  coach(
    'Cleo Copycat',
    ['cricket', 'Cricket coach'],
    'London',
    'Batting, bowling and the art of leaving the ball alone.',
    [
      ['Copycat Nets', '7 Oval Mews', 'SE11 5AA'],
      ['Facsimile Green', 'Green Lane', 'N8 7AB'],
    ],
    [
      ['Batting one to one', 'Stance, shape and shot selection against the machine.', 60, 4400],
      ['Spin bowling', 'Grip, drift and patience.', 60, 4000],
      ['Junior nets', 'For players from 9 to 13. Helmets provided.', 90, 1400, [4, 10], [9, 13]],
    ],
  ),
  coach(
    'Sunny Stand-in',
    ['fitness', 'Personal trainer'],
    'Brighton',
    'Strength for people who have other things to do.',
    [
      ['Standby Studio', '22 North Road', 'BN1 4AA'],
      ['Prototype Park', 'Park Crescent', 'BN3 1AB'],
    ],
    [
      ['Personal training', 'An hour that is only about you and your plan.', 60, 4600],
      ['Kettlebell circuits', 'Short, sharp and over before you know it.', 45, 1000, [3, 12]],
      ['Strength for over fifties', 'Stronger bones, better balance, good company.', 60, 950, [3, 10]],
      ['Half-hour mobility', 'Undo what the desk has done to you.', 30, 600, [2, 12]],
    ],
  ),
];

const firstNames =
  'Sam Dana Alex Jo Kim Lee Max Nia Ola Pat Quinn Ray Sky Toni Uma Val Wil Xena Yuri Zoe'.split(' ');
const lastNames = ['Sample', 'Example'];

/** Forty made-up customers. The first customer signs in as customer@demo.test. */
export const demoCustomers: { fullName: string; email: string }[] = lastNames
  .flatMap((last) => firstNames.map((first) => `${first} ${last}`))
  .map((fullName, index) => ({
    fullName,
    email: index === 0 ? 'customer@demo.test' : emailOf(fullName),
  }));

const noNotes = { medical: 'None', allergies: 'None', medication: 'None', access: 'None', learning: 'None' };

/** The made-up children of the first customer, who share that customer's last name, each with a lesson for children. */
export const demoChildren = [
  {
    firstName: 'Rosa',
    age: 9,
    photos: 'coaching',
    notes: {
      ...noNotes,
      medical: 'Mild asthma',
      medication: 'Blue inhaler in the red bag, two puffs before running',
    },
    lesson: 'Junior tennis group',
  },
  { firstName: 'Theo', age: 12, photos: 'none', notes: noNotes, lesson: 'Junior nets' },
] as const;
