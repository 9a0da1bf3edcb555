complete -c dragoman -n __fish_use_subcommand -a push -d 'send the project\'s files'
complete -c dragoman -n '__fish_seen_subcommand_from push' -l again
complete -c dragoman -n '__fish_seen_subcommand_from push' -l help
complete -c dragoman -n __fish_use_subcommand -a clients -d 'administer clients'
complete -c dragoman -n '__fish_seen_subcommand_from clients; and not __fish_seen_subcommand_from list' -l help
complete -c dragoman -n '__fish_seen_subcommand_from clients; and not __fish_seen_subcommand_from list' -a list -d 'list them'
complete -c dragoman -n '__fish_seen_subcommand_from clients; and __fish_seen_subcommand_from list' -l state -x -a 'enabled disabled'
complete -c dragoman -n '__fish_seen_subcommand_from clients; and __fish_seen_subcommand_from list' -l help
complete -c dragoman -n __fish_use_subcommand -a trigger -d 'cause an event'
complete -c dragoman -n '__fish_seen_subcommand_from trigger' -a job.created
complete -c dragoman -n '__fish_seen_subcommand_from trigger' -l help
