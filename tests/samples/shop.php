<?php

// Texts of the shop
return [
    'title' => 'Garden tools',
    'greeting' => "Hello :name, it's \$5\n",
    'nested' => array(
        'one' => 'It\'s one', // a note
        'other' => 'Many' . ' parts',
        'called' => trans('x'),
    ),
    'list' => ['First', "Second {$x}", 3],
];
