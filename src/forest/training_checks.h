#pragma once

#include "forest/trainer.h"

namespace cfrules {

// Throws InputError on anything the trainer cannot work with.
void check_training(const TrainingSet& data, const TrainOptions& options);

}  // namespace cfrules
